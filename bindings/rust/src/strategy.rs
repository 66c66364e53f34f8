use crate::engine::{lent, Engine};
use crate::error::{check, text, Error};
use crate::items::ItemRef;
use crate::{borrowed, sys, Milliseconds};
use std::os::raw::c_void;

/// A question to a strategy about a notification.
pub struct Vote<'a> {
    pub item: &'a ItemRef,
    /// The circumstances, as a JSON object.
    pub details: &'a str,
    /// That which is to take its place, when it is to be taken off the screen.
    pub next: Option<&'a ItemRef>,
    pub time: Milliseconds,
}

/// A strategy (`docs/strategies.md`). A vote may be asked any number of times, and must change nothing.
#[allow(unused_variables)]
pub trait Strategy: Send {
    /// Its parameters, from the feed's settings, as JSON.
    fn update_parameters(&mut self, engine: &Engine, json: &str) {}
    /// May this notification be shown?
    fn may_create(&self, engine: &Engine, vote: &Vote) -> bool {
        true
    }
    /// May this one be taken off the screen?
    fn may_delete(&self, engine: &Engine, vote: &Vote) -> bool {
        true
    }
    /// After the attempt to show it.
    fn created(&mut self, engine: &Engine, vote: &Vote, done: bool) {}
    /// After the attempt to take it off, or after the person has dismissed it.
    fn deleted(&mut self, engine: &Engine, vote: &Vote, done: bool) {}
    /// The app has gone to the background.
    fn background(&mut self, engine: &Engine) {}
    /// The app has come to the foreground.
    fn foreground(&mut self, engine: &Engine) {}
    /// A visit has begun: its region and campaigns, as JSON.
    fn start_monitoring(&mut self, engine: &Engine, json: &str) {}
    /// The state that it saved; none at the first time.
    fn load(&mut self, engine: &Engine, state: Option<&str>) {}
    /// The state that is to be kept; with none, what was kept stays.
    fn save(&mut self, engine: &Engine) -> Option<String> {
        None
    }
}

impl Engine {
    /// Registers a strategy under a key of its own, in the place of the one that has it, else behind all others.
    pub fn set_strategy<S: Strategy + 'static>(&self, key: &str, strategy: S) -> Result<(), Error> {
        let key = text("key", key)?;
        let data = Box::into_raw(Box::new(strategy)).cast::<c_void>();
        check(|error| unsafe {
            sys::plot_engine_set_strategy(
                self.as_ptr(),
                key.as_ptr(),
                Some(called::<S>),
                data,
                Some(crate::callbacks::destroy::<S>),
                error,
            )
        })
    }

    /// Removes a strategy; its saved state stays.
    pub fn remove_strategy(&self, key: &str) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe {
            sys::plot_engine_set_strategy(self.as_ptr(), key.as_ptr(), None, std::ptr::null_mut(), None, error)
        })
    }
}

unsafe extern "C" fn called<S: Strategy>(
    data: *mut c_void,
    engine: *mut sys::plot_engine,
    what: i32,
    call: *mut sys::plot_strategy_call,
) -> i32 {
    crate::callbacks::guarded(|| told::<S>(data, engine, what, call))
}

unsafe fn told<S: Strategy>(
    data: *mut c_void,
    engine: *mut sys::plot_engine,
    what: i32,
    call: *mut sys::plot_strategy_call,
) -> i32 {
    // Calls come one at a time.
    let strategy = &mut *(data as *mut S);
    let engine = &*lent(engine);
    let details = borrowed(sys::plot_strategy_call_get_json(call));
    let item = sys::plot_strategy_call_get_item(call);
    let next = sys::plot_strategy_call_get_next(call);
    if !item.is_null() {
        let vote = Vote {
            item: ItemRef::from_ptr(item),
            details,
            next: (!next.is_null()).then(|| ItemRef::from_ptr(next)),
            time: sys::plot_strategy_call_get_time(call),
        };
        let done = sys::plot_strategy_call_get_done(call) == 1;
        match what {
            sys::PLOT_STRATEGY_VOTE_CREATE => return strategy.may_create(engine, &vote).into(),
            sys::PLOT_STRATEGY_VOTE_DELETE => return strategy.may_delete(engine, &vote).into(),
            sys::PLOT_STRATEGY_CREATED => strategy.created(engine, &vote, done),
            sys::PLOT_STRATEGY_DELETED => strategy.deleted(engine, &vote, done),
            _ => {}
        }
        return 1;
    }
    match what {
        sys::PLOT_STRATEGY_UPDATE_PARAMETERS => strategy.update_parameters(engine, details),
        sys::PLOT_STRATEGY_BACKGROUND => strategy.background(engine),
        sys::PLOT_STRATEGY_FOREGROUND => strategy.foreground(engine),
        sys::PLOT_STRATEGY_START_MONITORING => strategy.start_monitoring(engine, details),
        sys::PLOT_STRATEGY_LOAD => {
            let state = sys::plot_strategy_call_get_state(call);
            strategy.load(engine, (!state.is_null()).then(|| borrowed(state)));
        }
        sys::PLOT_STRATEGY_SAVE => {
            // A state with a NUL in it is none: what was kept stays.
            if let Some(Ok(state)) = strategy.save(engine).map(|state| text("state", &state)) {
                sys::plot_strategy_call_set_state(call, state.as_ptr(), std::ptr::null_mut());
            }
        }
        _ => {}
    }
    1
}
