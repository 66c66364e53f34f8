//! Closures as callbacks. The library calls them one at a time, and lets go of each exactly once.

use crate::engine::{lent, Engine, Opening};
use crate::error::{check, Error};
use crate::items::{ItemRef, ListRef};
use crate::{borrowed, sized, sys, Milliseconds};
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::abort;
use std::ptr;

/// Runs the host's code. A panic must not unwind into the library: it ends the process, with the message that the hook has
/// printed.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| abort())
}

/// Drops what a callback's `user_data` stands for.
pub(crate) unsafe extern "C" fn destroy<F>(data: *mut c_void) {
    guarded(|| drop(Box::from_raw(data as *mut F)));
}

/// For each callback: the method that registers it, the one that removes it, the closure, and the function that calls it.
macro_rules! callbacks {
    ($(
        $(#[$about:meta])*
        $on:ident, $off:ident = $register:ident, |$closure:ident, $engine:ident $(, $name:ident: $kind:ty)*| -> $result:ty
            { $($bound:tt)* } $body:expr
    );* $(;)?) => {
        impl Engine {$(
            $(#[$about])*
            ///
            /// A panic in the closure ends the process: it cannot go through the library.
            pub fn $on<F>(&self, callback: F) -> Result<(), Error>
            where
                F: $($bound)* + Send + 'static,
            {
                unsafe extern "C" fn call<F>(data: *mut c_void, engine: *mut sys::plot_engine $(, $name: $kind)*) -> $result
                where
                    F: $($bound)* + Send + 'static,
                {
                    let $closure = &mut *(data as *mut F);
                    let $engine = &*lent(engine);
                    guarded(|| $body)
                }
                let data = Box::into_raw(Box::new(callback)).cast::<c_void>();
                check(|error| unsafe { sys::$register(self.as_ptr(), Some(call::<F>), data, Some(destroy::<F>), error) })
            }

            #[doc = concat!("Removes the callback of [`Engine::", stringify!($on), "`].")]
            pub fn $off(&self) -> Result<(), Error> {
                check(|error| unsafe { sys::$register(self.as_ptr(), None, ptr::null_mut(), None, error) })
            }
        )*}
    };
}

/// Whether a display was done, as the library wants to know it.
fn status(done: bool) -> i32 {
    if done {
        sys::PLOT_OK
    } else {
        sys::PLOT_IO_ERROR
    }
}

callbacks! {
    /// Notifications are about to be shown: keep, edit or drop each, and answer with [`Engine::answer_filter`], now or
    /// later.
    on_filter, remove_filter = plot_engine_set_filter_callback,
    |f, engine, token: u64, list: *mut sys::plot_list| -> () { FnMut(&Engine, u64, &mut ListRef) }
    f(engine, token, ListRef::from_mut_ptr(list));

    /// Geotriggers fired: answer with [`Engine::mark_geotriggers_handled`], now or later.
    on_geotriggers, remove_geotriggers = plot_engine_set_geotrigger_callback,
    |f, engine, token: u64, list: *mut sys::plot_list| -> () { FnMut(&Engine, u64, &mut ListRef) }
    f(engine, token, ListRef::from_mut_ptr(list));

    /// Show this notification now; true when it is on the screen.
    on_show, remove_show = plot_engine_set_show_callback,
    |f, engine, item: *const sys::plot_item| -> i32 { FnMut(&Engine, &ItemRef) -> bool }
    status(f(engine, ItemRef::from_ptr(item)));

    /// Take this notification off the screen; true when it is gone.
    on_remove, remove_remove = plot_engine_set_remove_callback,
    |f, engine, item: *const sys::plot_item| -> i32 { FnMut(&Engine, &ItemRef) -> bool }
    status(f(engine, ItemRef::from_ptr(item)));

    /// A notification of type regular or applink was opened; with its data. Replaces [`Engine::on_open`].
    on_notification, remove_notification_handler = plot_engine_set_notification_handler,
    |f, engine, item: *const sys::plot_item, data: *const c_char| -> () { FnMut(&Engine, &ItemRef, &str) }
    f(engine, ItemRef::from_ptr(item), borrowed(data));

    /// Do the default for an opened notification, with its URI.
    on_open, remove_open = plot_engine_set_open_callback,
    |f, engine, action: i32, uri: *const c_char, item: *const sys::plot_item| -> () { FnMut(&Engine, Opening, &str, &ItemRef) }
    f(engine, Opening::from(action), borrowed(uri), ItemRef::from_ptr(item));

    /// Something happened: an event record (`docs/events.md`), and the item that it is about.
    on_event, remove_event = plot_engine_set_event_callback,
    |f, engine, json: *const c_char, length: usize, item: *const sys::plot_item| -> () { FnMut(&Engine, &str, Option<&ItemRef>) }
    f(engine, sized(json, length), (!item.is_null()).then(|| ItemRef::from_ptr(item)));

    /// A decision was made about a candidate: a decision record (`docs/decisions.md`).
    on_decision, remove_decision = plot_engine_set_decision_callback,
    |f, engine, json: *const c_char, length: usize| -> () { FnMut(&Engine, &str) }
    f(engine, sized(json, length));

    /// A line of a recording (`docs/recording.md`); to be registered before [`Engine::init`].
    on_recording, remove_recording = plot_engine_set_recording_callback,
    |f, engine, line: *const c_char, length: usize| -> () { FnMut(&Engine, &str) }
    f(engine, sized(line, length));

    /// A line of the debug log, with its level.
    on_log, remove_log = plot_engine_set_log_callback,
    |f, engine, level: i32, message: *const c_char| -> () { FnMut(&Engine, i32, &str) }
    f(engine, level, borrowed(message));

    /// The time of the next wakeup has changed; none when nothing is due any more.
    on_wakeup, remove_wakeup = plot_engine_set_wakeup_callback,
    |f, engine, time: i64| -> () { FnMut(&Engine, Option<Milliseconds>) }
    f(engine, Some(time).filter(|&time| time != sys::PLOT_NO_WAKEUP));

    /// The synchronization stands elsewhere: its status as JSON, and when to ask [`Engine::sync_next`]; none: not by itself.
    on_sync, remove_sync = plot_engine_set_sync_callback,
    |f, engine, json: *const c_char, length: usize, next: i64| -> () { FnMut(&Engine, &str, Option<Milliseconds>) }
    f(engine, sized(json, length), Some(next).filter(|&next| next != sys::PLOT_NO_WAKEUP));

    /// A fix is wanted, up to this time.
    on_fix_request, remove_fix_request = plot_engine_set_fix_request_callback,
    |f, engine, deadline: i64| -> () { FnMut(&Engine, Milliseconds) }
    f(engine, deadline);
}
