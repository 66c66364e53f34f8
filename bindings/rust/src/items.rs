use crate::error::{check, made, text, Error};
use crate::{borrowed, sys, taken};
use std::ops::{Deref, DerefMut};
use std::os::raw::c_char;
use std::ptr;

/// A notification or a geotrigger, borrowed: values by key (`docs/items.md`).
#[repr(transparent)]
pub struct ItemRef(sys::plot_item);

impl ItemRef {
    /// # Safety
    /// The item lives, and is not changed by others, as long as the caller says.
    pub(crate) unsafe fn from_ptr<'a>(raw: *const sys::plot_item) -> &'a ItemRef {
        &*(raw as *const ItemRef)
    }

    pub fn as_ptr(&self) -> *const sys::plot_item {
        &self.0
    }

    fn as_mut_ptr(&mut self) -> *mut sys::plot_item {
        &mut self.0
    }

    /// The text of a key; none where it is absent, or holds no text.
    pub fn text(&self, key: &str) -> Option<&str> {
        let mut value: *const c_char = ptr::null();
        let key = text("key", key).ok()?;
        let status = unsafe { sys::plot_item_get_string(self.as_ptr(), key.as_ptr(), &mut value) };
        (status == sys::PLOT_OK).then(|| unsafe { borrowed(value) })
    }

    /// The integer of a key; none where it is absent, or holds no integer.
    pub fn integer(&self, key: &str) -> Option<i64> {
        let mut value = 0;
        let key = text("key", key).ok()?;
        let status = unsafe { sys::plot_item_get_integer(self.as_ptr(), key.as_ptr(), &mut value) };
        (status == sys::PLOT_OK).then_some(value)
    }

    /// The number of a key; none where it is absent, or holds no number.
    pub fn number(&self, key: &str) -> Option<f64> {
        let mut value = 0.0;
        let key = text("key", key).ok()?;
        let status = unsafe { sys::plot_item_get_double(self.as_ptr(), key.as_ptr(), &mut value) };
        (status == sys::PLOT_OK).then_some(value)
    }

    /// The value of any key as JSON text; none where it is absent.
    pub fn json(&self, key: &str) -> Option<String> {
        let key = text("key", key).ok()?;
        made(|out, _| unsafe { sys::plot_item_get_json(self.as_ptr(), key.as_ptr(), out) }).ok().map(taken)
    }

    /// All keys and values.
    pub fn to_json(&self) -> Result<String, Error> {
        made(|out, error| unsafe { sys::plot_item_to_json(self.as_ptr(), out, error) }).map(taken)
    }

    /// A copy of your own.
    pub fn copy(&self) -> Result<Item, Error> {
        made(|out, error| unsafe { sys::plot_item_copy(self.as_ptr(), out, error) }).map(Item)
    }

    pub fn set_text(&mut self, key: &str, value: &str) -> Result<(), Error> {
        let (key, value) = (text("key", key)?, text("value", value)?);
        check(|error| unsafe { sys::plot_item_set_string(self.as_mut_ptr(), key.as_ptr(), value.as_ptr(), error) })
    }

    pub fn set_integer(&mut self, key: &str, value: i64) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe { sys::plot_item_set_integer(self.as_mut_ptr(), key.as_ptr(), value, error) })
    }

    /// Sets a value from its JSON text, of the key's own type.
    pub fn set_json(&mut self, key: &str, json: &str) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe {
            sys::plot_item_set_json(self.as_mut_ptr(), key.as_ptr(), json.as_ptr().cast(), json.len(), error)
        })
    }

    pub fn clear(&mut self, key: &str) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe { sys::plot_item_clear(self.as_mut_ptr(), key.as_ptr(), error) })
    }
}

/// An item of your own.
pub struct Item(*mut sys::plot_item);

unsafe impl Send for Item {}
unsafe impl Sync for Item {}

impl Deref for Item {
    type Target = ItemRef;

    fn deref(&self) -> &ItemRef {
        unsafe { ItemRef::from_ptr(self.0) }
    }
}

impl DerefMut for Item {
    fn deref_mut(&mut self) -> &mut ItemRef {
        unsafe { &mut *(self.0 as *mut ItemRef) }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        unsafe { sys::plot_item_free(self.0) }
    }
}

/// A list of items, borrowed.
#[repr(transparent)]
pub struct ListRef(sys::plot_list);

impl ListRef {
    /// # Safety
    /// The list lives, and nobody else uses it, as long as the caller says.
    pub(crate) unsafe fn from_mut_ptr<'a>(raw: *mut sys::plot_list) -> &'a mut ListRef {
        &mut *(raw as *mut ListRef)
    }

    pub fn as_ptr(&self) -> *const sys::plot_list {
        &self.0
    }

    fn as_mut_ptr(&mut self) -> *mut sys::plot_list {
        &mut self.0
    }

    pub fn len(&self) -> usize {
        unsafe { sys::plot_list_get_count(self.as_ptr()) }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> Option<&ItemRef> {
        let item = unsafe { sys::plot_list_get(self.as_ptr(), index) };
        (!item.is_null()).then(|| unsafe { ItemRef::from_ptr(item) })
    }

    /// For edits.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut ItemRef> {
        let item = unsafe { sys::plot_list_get(self.as_ptr(), index) };
        (!item.is_null()).then(|| unsafe { &mut *(item as *mut ItemRef) })
    }

    pub fn iter(&self) -> impl Iterator<Item = &ItemRef> + '_ {
        (0..self.len()).filter_map(move |index| self.get(index))
    }

    /// Appends a copy.
    pub fn append(&mut self, item: &ItemRef) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_list_append(self.as_mut_ptr(), item.as_ptr(), error) })
    }

    pub fn remove(&mut self, index: usize) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_list_remove(self.as_mut_ptr(), index, error) })
    }

    pub fn to_json(&self) -> Result<String, Error> {
        made(|out, error| unsafe { sys::plot_list_to_json(self.as_ptr(), out, error) }).map(taken)
    }
}

/// A list of your own.
pub struct List(*mut sys::plot_list);

unsafe impl Send for List {}
unsafe impl Sync for List {}

impl List {
    pub fn new() -> Result<List, Error> {
        made(|out, error| unsafe { sys::plot_list_new(out, error) }).map(List)
    }

    pub(crate) fn from(raw: *mut sys::plot_list) -> List {
        List(raw)
    }
}

impl Deref for List {
    type Target = ListRef;

    fn deref(&self) -> &ListRef {
        unsafe { &*(self.0 as *const ListRef) }
    }
}

impl DerefMut for List {
    fn deref_mut(&mut self) -> &mut ListRef {
        unsafe { ListRef::from_mut_ptr(self.0) }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        unsafe { sys::plot_list_free(self.0) }
    }
}
