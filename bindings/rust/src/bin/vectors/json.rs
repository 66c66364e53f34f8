//! JSON by Jansson, as far as the runner needs it.

use std::ffi::{CStr, CString};
use std::marker::PhantomData;
use std::os::raw::{c_char, c_int, c_void};

#[repr(C)]
pub struct Raw {
    kind: c_int,
    _references: usize,
}

#[repr(C)]
struct Fault {
    line: c_int,
    column: c_int,
    position: c_int,
    source: [c_char; 80],
    text: [c_char; 160],
}

const OBJECT: c_int = 0;
const ARRAY: c_int = 1;
const STRING: c_int = 2;
const INTEGER: c_int = 3;
const REAL: c_int = 4;
const TRUE: c_int = 5;
const FALSE: c_int = 6;
const NULL: c_int = 7;
const REJECT_DUPLICATES: usize = 1;
const COMPACT: usize = 0x20;
const ENCODE_ANY: usize = 0x200;

extern "C" {
    fn json_loadb(text: *const c_char, length: usize, flags: usize, error: *mut Fault) -> *mut Raw;
    fn json_delete(value: *mut Raw);
    fn json_dumps(value: *const Raw, flags: usize) -> *mut c_char;
    fn json_object_get(object: *const Raw, key: *const c_char) -> *mut Raw;
    fn json_object_iter(object: *mut Raw) -> *mut c_void;
    fn json_object_iter_next(object: *mut Raw, iterator: *mut c_void) -> *mut c_void;
    fn json_object_iter_key(iterator: *mut c_void) -> *const c_char;
    fn json_object_iter_value(iterator: *mut c_void) -> *mut Raw;
    fn json_array_size(array: *const Raw) -> usize;
    fn json_array_get(array: *const Raw, index: usize) -> *mut Raw;
    fn json_string_value(string: *const Raw) -> *const c_char;
    fn json_string_length(string: *const Raw) -> usize;
    fn json_integer_value(integer: *const Raw) -> i64;
    fn json_number_value(number: *const Raw) -> f64;
    fn free(memory: *mut c_void);
}

/// A JSON text, read.
pub struct Document(*mut Raw);

// It is only read.
unsafe impl Send for Document {}
unsafe impl Sync for Document {}

impl Document {
    pub fn read(text: &str) -> Result<Document, String> {
        let mut fault = Fault { line: 0, column: 0, position: 0, source: [0; 80], text: [0; 160] };
        unsafe {
            let value = json_loadb(text.as_ptr().cast(), text.len(), REJECT_DUPLICATES, &mut fault);
            if value.is_null() {
                let words = CStr::from_ptr(fault.text.as_ptr()).to_string_lossy();
                return Err(format!("line {}, column {}: {words}", fault.line, fault.column));
            }
            Ok(Document(value))
        }
    }

    pub fn value(&self) -> Value<'_> {
        Value(self.0, PhantomData)
    }
}

impl Drop for Document {
    fn drop(&mut self) {
        // There was one reference from the start.
        unsafe { json_delete(self.0) }
    }
}

#[derive(Clone, Copy)]
pub struct Value<'a>(*mut Raw, PhantomData<&'a Document>);

unsafe impl Send for Value<'_> {}
unsafe impl Sync for Value<'_> {}

impl<'a> Value<'a> {
    fn kind(self) -> c_int {
        unsafe { (*self.0).kind }
    }

    pub fn is_object(self) -> bool {
        self.kind() == OBJECT
    }

    pub fn is_array(self) -> bool {
        self.kind() == ARRAY
    }

    pub fn is_null(self) -> bool {
        self.kind() == NULL
    }

    pub fn text(self) -> Option<&'a str> {
        if self.kind() != STRING {
            return None;
        }
        unsafe {
            let bytes = std::slice::from_raw_parts(json_string_value(self.0) as *const u8, json_string_length(self.0));
            std::str::from_utf8(bytes).ok()
        }
    }

    pub fn integer(self) -> Option<i64> {
        (self.kind() == INTEGER).then(|| unsafe { json_integer_value(self.0) })
    }

    pub fn number(self) -> Option<f64> {
        matches!(self.kind(), INTEGER | REAL).then(|| unsafe { json_number_value(self.0) })
    }

    pub fn boolean(self) -> Option<bool> {
        match self.kind() {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// The value of a key; none where there is no such key.
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        let key = CString::new(key).ok()?;
        let found = unsafe { json_object_get(self.0, key.as_ptr()) };
        (!found.is_null()).then_some(Value(found, PhantomData))
    }

    /// The members of an object, in their order.
    pub fn members(self) -> Vec<(&'a str, Value<'a>)> {
        let mut found = Vec::new();
        unsafe {
            let mut iterator = json_object_iter(self.0);
            while !iterator.is_null() {
                let key = CStr::from_ptr(json_object_iter_key(iterator)).to_str().unwrap_or("");
                found.push((key, Value(json_object_iter_value(iterator), PhantomData)));
                iterator = json_object_iter_next(self.0, iterator);
            }
        }
        found
    }

    pub fn elements(self) -> Vec<Value<'a>> {
        unsafe { (0..json_array_size(self.0)).map(|index| Value(json_array_get(self.0, index), PhantomData)).collect() }
    }

    /// As JSON text, without white space, keys in their order.
    pub fn json(self) -> String {
        unsafe {
            let text = json_dumps(self.0, COMPACT | ENCODE_ANY);
            let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
            free(text.cast());
            copy
        }
    }
}

/// A string as JSON text: only what must be escaped is.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
