use crate::{borrowed, status_name, sys};
use std::ffi::CString;
use std::fmt;
use std::ptr;

/// A call that failed; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// A `PLOT_` status, such as [`sys::PLOT_OUT_OF_ORDER`].
    pub status: i32,
    /// One sentence for people: where, what was expected, what was found.
    pub message: String,
    /// From 1, in the text that was read; 0 when the fault is in no text.
    pub line: i32,
    /// From 1, in bytes; 0 when the fault is in no text.
    pub column: i32,
    /// JSON pointer (RFC 6901) to the value at fault; empty where there is none.
    pub pointer: String,
    /// Empty where there is none.
    pub expected: String,
    /// Empty where there is none.
    pub found: String,
    /// More than the status, where a document is at fault, such as `unknown-key` (`docs/errors.md`).
    pub kind: String,
    /// The page of this kind, such as `docs/errors.md#unknown-key`.
    pub page: String,
    /// One sentence: what to do about it.
    pub cure: String,
}

impl Error {
    /// The name of the status, such as `PLOT_OUT_OF_ORDER`.
    pub fn name(&self) -> &'static str {
        status_name(self.status)
    }

    pub(crate) fn of_argument(name: &str, expected: &str, found: &str) -> Error {
        Error {
            status: sys::PLOT_INVALID_ARGUMENT,
            message: format!("{name}: expected {expected}, found {found}"),
            line: 0,
            column: 0,
            pointer: String::new(),
            expected: expected.to_owned(),
            found: found.to_owned(),
            kind: "invalid-argument".to_owned(),
            page: "docs/errors.md#invalid-argument".to_owned(),
            cure: String::new(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.message.is_empty() {
            return to.write_str(self.name());
        }
        to.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Makes a call whose last parameter is for an error.
pub(crate) fn check(call: impl FnOnce(*mut *mut sys::plot_error) -> i32) -> Result<(), Error> {
    let mut error = ptr::null_mut();
    let status = call(&mut error);
    if status == sys::PLOT_OK {
        return Ok(());
    }
    unsafe {
        let found = Error {
            status,
            message: borrowed(sys::plot_error_get_message(error)).to_owned(),
            line: sys::plot_error_get_line(error),
            column: sys::plot_error_get_column(error),
            pointer: borrowed(sys::plot_error_get_pointer(error)).to_owned(),
            expected: borrowed(sys::plot_error_get_expected(error)).to_owned(),
            found: borrowed(sys::plot_error_get_found(error)).to_owned(),
            kind: borrowed(sys::plot_error_get_kind(error)).to_owned(),
            page: borrowed(sys::plot_error_get_page(error)).to_owned(),
            cure: borrowed(sys::plot_error_get_cure(error)).to_owned(),
        };
        sys::plot_error_free(error);
        Err(found)
    }
}

/// The same for a call that gives something, through a pointer that comes before the one for an error.
pub(crate) fn made<T>(call: impl FnOnce(*mut *mut T, *mut *mut sys::plot_error) -> i32) -> Result<*mut T, Error> {
    let mut out = ptr::null_mut();
    check(|error| call(&mut out, error))?;
    Ok(out)
}

/// A text for the library, which ends with a NUL there.
pub(crate) fn text(name: &str, value: &str) -> Result<CString, Error> {
    CString::new(value).map_err(|_| Error::of_argument(name, "a text without U+0000", "one with it"))
}

/// The same, or none.
pub(crate) fn optional(name: &str, value: Option<&str>) -> Result<Option<CString>, Error> {
    value.map(|value| text(name, value)).transpose()
}

/// Its address; NULL for none.
pub(crate) fn address(text: &Option<CString>) -> *const std::os::raw::c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}
