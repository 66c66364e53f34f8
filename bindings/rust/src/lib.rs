//! Location-based notifications, decided on the device and offline: a thin layer over `libplotengine`.
//!
//! The layer decides nothing. Each method is one call of the C library, whose header says what it does; times are
//! milliseconds since 1970-01-01T00:00:00Z, and nothing here reads a clock.
//!
//! ```no_run
//! use plotengine::{Config, Engine, Feed, Fix};
//!
//! fn main() -> Result<(), plotengine::Error> {
//!     let engine = Engine::new()?;
//!     engine.on_show(|_, notification| {
//!         println!("{}", notification.text("message").unwrap_or(""));
//!         true
//!     })?;
//!     let now = 1_779_962_400_000; // 2026-05-28T10:00:00Z
//!     engine.init(now, &Config::parse("{}")?, None)?;
//!     engine.set_feed(now, &Feed::load("feed.json")?)?;
//!     engine.update_location(now, Fix::new(52.3601, 4.8851, 10.0))
//! }
//! ```
//!
//! What has no method yet is in [`sys`], the C library as it is, with [`Engine::as_ptr`] and its like.

#[allow(non_camel_case_types, missing_docs)]
#[rustfmt::skip]
pub mod sys;

mod callbacks;
mod documents;
mod engine;
mod error;
mod items;
mod strategy;
mod sync;

pub use documents::{lint, Config, Feed};
pub use engine::{Engine, Fix, Hint, Opening};
pub use error::Error;
pub use items::{Item, ItemRef, List, ListRef};
pub use strategy::{Strategy, Vote};

use std::ffi::CStr;
use std::os::raw::c_char;

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Milliseconds = i64;

/// The version of the library, such as `0.1.0`.
pub fn version() -> &'static str {
    // Static, and never NULL.
    unsafe { borrowed(sys::plot_version()) }
}

/// The version of its ABI; [`sys::ABI_VERSION`] is that of this crate.
pub fn abi_version() -> i32 {
    unsafe { sys::plot_abi_version() }
}

/// How many objects of the library are alive in the process: 0 when everything has been dropped.
pub fn live_objects() -> i64 {
    unsafe { sys::plot_live_objects() }
}

/// The name of a status, such as `PLOT_OUT_OF_ORDER`.
pub fn status_name(status: i32) -> &'static str {
    unsafe { borrowed(sys::plot_status_name(status)) }
}

/// A text of the library; empty for NULL. The library gives UTF-8 only.
///
/// # Safety
/// The text lives as long as the caller says.
pub(crate) unsafe fn borrowed<'a>(text: *const c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    CStr::from_ptr(text).to_str().unwrap_or("")
}

/// A text of the library with its length.
///
/// # Safety
/// As for [`borrowed`].
pub(crate) unsafe fn sized<'a>(text: *const c_char, length: usize) -> &'a str {
    if text.is_null() || length == 0 {
        return "";
    }
    std::str::from_utf8(std::slice::from_raw_parts(text as *const u8, length)).unwrap_or("")
}

/// Takes a text of the library's as a `String`.
pub(crate) fn taken(string: *mut sys::plot_string) -> String {
    unsafe {
        let text = sized(sys::plot_string_get(string), sys::plot_string_get_length(string)).to_owned();
        sys::plot_string_free(string);
        text
    }
}
