use crate::documents::{Config, Feed};
use crate::error::{address, check, made, optional, text, Error};
use crate::items::{ItemRef, List, ListRef};
use crate::{sys, taken, Milliseconds};
use std::mem::ManuallyDrop;
use std::ptr;

/// One device: its places, visits, history and settings. Calls on one engine take turns, on whatever thread they are.
pub struct Engine(*mut sys::plot_engine);

unsafe impl Send for Engine {}
unsafe impl Sync for Engine {}

/// The engine that a callback is called for, which is not the callback's to free.
pub(crate) fn lent(raw: *mut sys::plot_engine) -> ManuallyDrop<Engine> {
    ManuallyDrop::new(Engine(raw))
}

/// A position that the system has given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fix {
    /// Degrees (WGS 84).
    pub latitude: f64,
    /// Degrees (WGS 84).
    pub longitude: f64,
    /// Metres; 0 when not known: the fix is then taken as exact.
    pub accuracy: f64,
    /// Metres a second; -1 when not known.
    pub speed: f64,
    /// Degrees from north; -1 when not known.
    pub course: f64,
}

impl Fix {
    /// Without speed and course.
    pub fn new(latitude: f64, longitude: f64, accuracy: f64) -> Fix {
        Fix { latitude, longitude, accuracy, speed: -1.0, course: -1.0 }
    }
}

/// The report of an operating system about a region that it watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    Enter = 0,
    Exit = 1,
    Inside = 2,
    Outside = 3,
}

/// The default action for an opened notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// No data: bring the app to the front.
    App,
    /// Open the URI in the browser.
    Uri,
    /// Show the URI full screen inside the app.
    LandingPage,
    /// Open another app by this link.
    Applink,
    /// The app's own data.
    Data,
    /// An action that this crate does not know.
    Other(i32),
}

impl From<i32> for Opening {
    fn from(action: i32) -> Opening {
        match action {
            sys::PLOT_OPEN_APP => Opening::App,
            sys::PLOT_OPEN_URI => Opening::Uri,
            sys::PLOT_OPEN_LANDING_PAGE => Opening::LandingPage,
            sys::PLOT_OPEN_APPLINK => Opening::Applink,
            sys::PLOT_OPEN_DATA => Opening::Data,
            other => Opening::Other(other),
        }
    }
}

/// Methods that are one call with a time and nothing more.
macro_rules! at_a_time {
    ($($(#[$about:meta])* $name:ident = $call:ident;)*) => {
        impl Engine {$(
            $(#[$about])*
            pub fn $name(&self, time: Milliseconds) -> Result<(), Error> {
                check(|error| unsafe { sys::$call(self.0, time, error) })
            }
        )*}
    };
}

at_a_time! {
    /// Time has passed: what is due happens, each at its own time.
    advance = plot_engine_advance;
    enable = plot_engine_enable;
    disable = plot_engine_disable;
    clear_sent_notifications = plot_engine_clear_sent_notifications;
    clear_sent_geotriggers = plot_engine_clear_sent_geotriggers;
    /// Forgets the person (`docs/privacy.md`).
    clear_all_data = plot_engine_clear_all_data;
    /// Asks the campaign service for the feed, and sends the events that wait; also after a stop.
    sync_now = plot_engine_sync_now;
    /// Asks the campaign service for nothing any more.
    sync_stop = plot_engine_sync_stop;
}

/// Methods that give a JSON text.
macro_rules! texts {
    ($($(#[$about:meta])* $name:ident = $call:ident;)*) => {
        impl Engine {$(
            $(#[$about])*
            pub fn $name(&self) -> Result<String, Error> {
                made(|out, error| unsafe { sys::$call(self.0, out, error) }).map(taken)
            }
        )*}
    };
}

texts! {
    /// The visits in progress, as a JSON array.
    visits = plot_engine_get_visits;
    /// Where the engine is, as a JSON object.
    summary = plot_engine_get_summary;
    /// All segmentation properties, as a JSON object.
    segmentation_properties = plot_engine_get_segmentation_properties;
    /// The app's lists that are there, as a JSON array.
    lists = plot_engine_get_lists;
    /// Where the synchronization stands, as a JSON object (`docs/sync.md`).
    sync_status = plot_engine_get_sync_status;
}

/// Methods that give a list of items.
macro_rules! item_lists {
    ($($(#[$about:meta])* $name:ident = $call:ident $(($limit:ident))?;)*) => {
        impl Engine {$(
            $(#[$about])*
            pub fn $name(&self $(, $limit: usize)?) -> Result<List, Error> {
                made(|out, error| unsafe { sys::$call(self.0, $($limit,)? out, error) }).map(List::from)
            }
        )*}
    };
}

item_lists! {
    /// At most `limit`, 0 for all.
    loaded_notifications = plot_engine_get_loaded_notifications(limit);
    /// At most `limit`, 0 for all.
    loaded_geotriggers = plot_engine_get_loaded_geotriggers(limit);
    /// The last 100, oldest first.
    sent_notifications = plot_engine_get_sent_notifications;
    /// The last 100, oldest first.
    sent_geotriggers = plot_engine_get_sent_geotriggers;
    /// Those on the screen, oldest first. The items are yours to change, for [`Engine::update_notification`].
    displayed_notifications = plot_engine_get_displayed_notifications;
}

impl Engine {
    // ---- Its life ----------------------------------------------------------------------------------------------

    /// An engine without a configuration: register callbacks, then call [`Engine::init`].
    pub fn new() -> Result<Engine, Error> {
        made(|out, error| unsafe { sys::plot_engine_new(out, error) }).map(Engine)
    }

    /// Starts the engine. Without a store it keeps everything in memory.
    pub fn init(&self, time: Milliseconds, config: &Config, store_path: Option<&str>) -> Result<(), Error> {
        let store = optional("store_path", store_path)?;
        check(|error| unsafe { sys::plot_engine_init(self.0, time, config.as_ptr(), address(&store), error) })
    }

    /// Closes the store and lets go of all callbacks. Later calls give `PLOT_CLOSED`.
    pub fn close(&self) -> Result<(), Error> {
        check(|_| unsafe { sys::plot_engine_close(self.0) })
    }

    pub fn as_ptr(&self) -> *mut sys::plot_engine {
        self.0
    }

    /// Records everything into a new file; to be called before [`Engine::init`]. `flags` is 0 or
    /// [`sys::PLOT_RECORD_INPUTS`].
    pub fn record_to_file(&self, path: &str, flags: i32) -> Result<(), Error> {
        let path = text("path", path)?;
        check(|error| unsafe { sys::plot_engine_record_to_file(self.0, path.as_ptr(), flags, error) })
    }

    // ---- Settings ----------------------------------------------------------------------------------------------

    pub fn set_feed(&self, time: Milliseconds, feed: &Feed) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_set_feed(self.0, time, feed.as_ptr(), error) })
    }

    pub fn set_cooldown_period(&self, time: Milliseconds, seconds: i64) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_set_cooldown_period(self.0, time, seconds, error) })
    }

    /// An IANA name.
    pub fn set_time_zone(&self, time: Milliseconds, zone: &str) -> Result<(), Error> {
        let zone = text("zone", zone)?;
        check(|error| unsafe { sys::plot_engine_set_time_zone(self.0, time, zone.as_ptr(), error) })
    }

    /// The device's clocks: `monotonic` in milliseconds since the start that `boot` names.
    pub fn set_clock(&self, time: Milliseconds, monotonic: i64, boot: &str) -> Result<(), Error> {
        let boot = text("boot", boot)?;
        check(|error| unsafe { sys::plot_engine_set_clock(self.0, time, monotonic, boot.as_ptr(), error) })
    }

    pub fn set_foreground(&self, time: Milliseconds, foreground: bool) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_set_foreground(self.0, time, foreground.into(), error) })
    }

    pub fn set_network(&self, time: Milliseconds, available: bool) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_set_network(self.0, time, available.into(), error) })
    }

    pub fn set_string_property(&self, time: Milliseconds, key: &str, value: Option<&str>) -> Result<(), Error> {
        let (key, value) = (text("key", key)?, optional("value", value)?);
        check(|error| unsafe {
            sys::plot_engine_set_string_segmentation_property(self.0, time, key.as_ptr(), address(&value), error)
        })
    }

    pub fn set_boolean_property(&self, time: Milliseconds, key: &str, value: bool) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe {
            sys::plot_engine_set_boolean_segmentation_property(self.0, time, key.as_ptr(), value.into(), error)
        })
    }

    pub fn set_integer_property(&self, time: Milliseconds, key: &str, value: i64) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe {
            sys::plot_engine_set_integer_segmentation_property(self.0, time, key.as_ptr(), value, error)
        })
    }

    pub fn set_double_property(&self, time: Milliseconds, key: &str, value: f64) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe {
            sys::plot_engine_set_double_segmentation_property(self.0, time, key.as_ptr(), value, error)
        })
    }

    pub fn set_date_property(&self, time: Milliseconds, key: &str, value: Milliseconds) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe {
            sys::plot_engine_set_date_segmentation_property(self.0, time, key.as_ptr(), value, error)
        })
    }

    pub fn clear_property(&self, time: Milliseconds, key: &str) -> Result<(), Error> {
        let key = text("key", key)?;
        check(|error| unsafe { sys::plot_engine_clear_segmentation_property(self.0, time, key.as_ptr(), error) })
    }

    pub fn set_advertising_identifier(
        &self,
        time: Milliseconds,
        identifier: Option<&str>,
        limits_tracking: bool,
    ) -> Result<(), Error> {
        let identifier = optional("identifier", identifier)?;
        check(|error| unsafe {
            sys::plot_engine_set_advertising_identifier(
                self.0,
                time,
                address(&identifier),
                limits_tracking.into(),
                error,
            )
        })
    }

    // ---- Where the device is -----------------------------------------------------------------------------------

    pub fn update_location(&self, time: Milliseconds, fix: Fix) -> Result<(), Error> {
        check(|error| unsafe {
            sys::plot_engine_update_location(
                self.0,
                time,
                fix.latitude,
                fix.longitude,
                fix.accuracy,
                fix.speed,
                fix.course,
                error,
            )
        })
    }

    /// Fixes that the system has handed over together at `time`, each with its own time. Gives, for each fix that was
    /// refused, its position and its status.
    pub fn update_locations_together(
        &self,
        time: Milliseconds,
        fixes: &[(Milliseconds, Fix)],
    ) -> Result<Vec<(usize, i32)>, Error> {
        let times: Vec<i64> = fixes.iter().map(|(time, _)| *time).collect();
        let column = |value: fn(&Fix) -> f64| -> Vec<f64> { fixes.iter().map(|(_, fix)| value(fix)).collect() };
        let (latitudes, longitudes) = (column(|fix| fix.latitude), column(|fix| fix.longitude));
        let (accuracies, speeds, courses) =
            (column(|fix| fix.accuracy), column(|fix| fix.speed), column(|fix| fix.course));
        let effects = made(|out, error| unsafe {
            sys::plot_engine_update_locations_together(
                self.0,
                time,
                times.len(),
                times.as_ptr(),
                latitudes.as_ptr(),
                longitudes.as_ptr(),
                accuracies.as_ptr(),
                speeds.as_ptr(),
                courses.as_ptr(),
                out,
                error,
            )
        })?;
        unsafe {
            let (records, count) = (sys::plot_effects_get_records(effects), sys::plot_effects_get_count(effects));
            let records = if count == 0 { &[] } else { std::slice::from_raw_parts(records, count) };
            let refused = records
                .iter()
                .filter(|record| record.kind == sys::PLOT_EFFECT_REFUSED as u32)
                .map(|record| (record.fix as usize, record.detail as i32))
                .collect();
            sys::plot_effects_free(effects);
            Ok(refused)
        }
    }

    /// `proximity` is a `PLOT_PROXIMITY_` value; `rssi` and `power` in dBm, 0 each when not known.
    #[allow(clippy::too_many_arguments)]
    pub fn update_ibeacon(
        &self,
        time: Milliseconds,
        proximity_uuid: &str,
        major_id: i32,
        minor_id: i32,
        proximity: i32,
        rssi: f64,
        power: f64,
    ) -> Result<(), Error> {
        let uuid = text("proximity_uuid", proximity_uuid)?;
        check(|error| unsafe {
            sys::plot_engine_update_ibeacon(
                self.0,
                time,
                uuid.as_ptr(),
                major_id,
                minor_id,
                proximity,
                rssi,
                power,
                error,
            )
        })
    }

    /// The same for a beacon that sends Eddystone UID frames.
    pub fn update_eddystone(
        &self,
        time: Milliseconds,
        namespace_id: &str,
        instance_id: &str,
        proximity: i32,
        rssi: f64,
        power: f64,
    ) -> Result<(), Error> {
        let (namespace, instance) = (text("namespace_id", namespace_id)?, text("instance_id", instance_id)?);
        check(|error| unsafe {
            sys::plot_engine_update_eddystone(
                self.0,
                time,
                namespace.as_ptr(),
                instance.as_ptr(),
                proximity,
                rssi,
                power,
                error,
            )
        })
    }

    /// With the position that came with the report, where one did.
    pub fn region_hint(
        &self,
        time: Milliseconds,
        region_id: &str,
        hint: Hint,
        position: Option<Fix>,
    ) -> Result<(), Error> {
        let region = text("region_id", region_id)?;
        let at = position.unwrap_or(Fix::new(0.0, 0.0, -1.0));
        check(|error| unsafe {
            sys::plot_engine_region_hint(
                self.0,
                time,
                region.as_ptr(),
                hint as i32,
                at.latitude,
                at.longitude,
                at.accuracy,
                error,
            )
        })
    }

    /// The difference against the last plan, as a JSON object. Without a position that of the newest fix counts.
    pub fn plan_regions(
        &self,
        time: Milliseconds,
        position: Option<Fix>,
        budget: i32,
        flags: i32,
    ) -> Result<String, Error> {
        let at = position.unwrap_or(Fix::new(0.0, 0.0, -1.0));
        made(|out, error| unsafe {
            sys::plot_engine_plan_regions(
                self.0,
                time,
                at.latitude,
                at.longitude,
                at.accuracy,
                budget,
                flags,
                out,
                error,
            )
        })
        .map(taken)
    }

    pub fn move_region(&self, time: Milliseconds, region_id: &str, latitude: f64, longitude: f64) -> Result<(), Error> {
        let region = text("region_id", region_id)?;
        check(|error| unsafe {
            sys::plot_engine_move_region(self.0, time, region.as_ptr(), latitude, longitude, error)
        })
    }

    /// When to call [`Engine::advance`] next; none when nothing is due.
    pub fn next_wakeup(&self) -> Result<Option<Milliseconds>, Error> {
        let mut time = 0;
        check(|error| unsafe { sys::plot_engine_next_wakeup(self.0, &mut time, error) })?;
        Ok(Some(time).filter(|&time| time != sys::PLOT_NO_WAKEUP))
    }

    // ---- Answers -----------------------------------------------------------------------------------------------

    /// The items of an open batch, for answering later.
    pub fn batch(&self, token: u64) -> Result<List, Error> {
        made(|out, error| unsafe { sys::plot_engine_get_batch(self.0, token, out, error) }).map(List::from)
    }

    /// A time of 0 is the newest that the engine has seen.
    pub fn answer_filter(&self, time: Milliseconds, token: u64, kept: &ListRef) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_answer_filter(self.0, time, token, kept.as_ptr(), error) })
    }

    /// A time of 0 is the newest that the engine has seen.
    pub fn mark_geotriggers_handled(&self, time: Milliseconds, token: u64, handled: &ListRef) -> Result<(), Error> {
        check(|error| unsafe {
            sys::plot_engine_mark_geotriggers_handled(self.0, time, token, handled.as_ptr(), error)
        })
    }

    pub fn open_notification(&self, time: Milliseconds, match_identifier: &str) -> Result<(), Error> {
        let key = text("match_identifier", match_identifier)?;
        check(|error| unsafe { sys::plot_engine_open_notification(self.0, time, key.as_ptr(), error) })
    }

    pub fn dismiss_notification(&self, time: Milliseconds, match_identifier: &str) -> Result<(), Error> {
        let key = text("match_identifier", match_identifier)?;
        check(|error| unsafe { sys::plot_engine_dismiss_notification(self.0, time, key.as_ptr(), error) })
    }

    /// Takes one off the screen, or all.
    pub fn remove_notification(&self, time: Milliseconds, match_identifier: Option<&str>) -> Result<(), Error> {
        let key = optional("match_identifier", match_identifier)?;
        check(|error| unsafe { sys::plot_engine_remove_notification(self.0, time, address(&key), error) })
    }

    /// `item` is one of [`Engine::displayed_notifications`], with edits.
    pub fn update_notification(&self, time: Milliseconds, item: &ItemRef) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_update_notification(self.0, time, item.as_ptr(), error) })
    }

    pub fn take_action(&self, time: Milliseconds, match_identifier: &str, action_id: &str) -> Result<(), Error> {
        let (key, action) = (text("match_identifier", match_identifier)?, text("action_id", action_id)?);
        check(|error| unsafe { sys::plot_engine_take_action(self.0, time, key.as_ptr(), action.as_ptr(), error) })
    }

    // ---- Messages ----------------------------------------------------------------------------------------------

    /// A message has come, such as a push, as JSON.
    pub fn process_message(&self, time: Milliseconds, json: &str) -> Result<(), Error> {
        check(|error| unsafe {
            sys::plot_engine_process_message(self.0, time, json.as_ptr().cast(), json.len(), error)
        })
    }

    /// A list that rules ask; none makes it absent.
    pub fn set_list(&self, time: Milliseconds, name: &str, json: Option<&str>) -> Result<(), Error> {
        let name = text("name", name)?;
        let (start, length) = json.map_or((ptr::null(), 0), |json| (json.as_ptr().cast(), json.len()));
        check(|error| unsafe { sys::plot_engine_set_list(self.0, time, name.as_ptr(), start, length, error) })
    }

    /// Entries to add and to take out, as JSON.
    pub fn edit_list(&self, time: Milliseconds, name: &str, json: &str) -> Result<(), Error> {
        let name = text("name", name)?;
        check(|error| unsafe {
            sys::plot_engine_edit_list(self.0, time, name.as_ptr(), json.as_ptr().cast(), json.len(), error)
        })
    }

    // ---- Trips -------------------------------------------------------------------------------------------------

    /// Begins a trip to a region, as JSON, or gives one that is on another plan.
    pub fn start_trip(&self, time: Milliseconds, json: &str) -> Result<(), Error> {
        check(|error| unsafe {
            sys::plot_engine_start_trip(self.0, time, json.as_ptr().cast(), json.len(), error)
        })
    }

    /// A trip is over: the device has arrived, or will not.
    pub fn end_trip(&self, time: Milliseconds, trip_id: &str, arrived: bool) -> Result<(), Error> {
        let id = text("trip_id", trip_id)?;
        check(|error| unsafe { sys::plot_engine_end_trip(self.0, time, id.as_ptr(), arrived.into(), error) })
    }

    /// The trips that are on, and where they stand at a time, as a JSON array.
    pub fn trips(&self, time: Milliseconds) -> Result<String, Error> {
        made(|out, error| unsafe { sys::plot_engine_get_trips(self.0, time, out, error) }).map(taken)
    }

    // ---- Reasons -----------------------------------------------------------------------------------------------

    /// Keeps so many decisions in memory.
    pub fn keep_decisions(&self, capacity: i64) -> Result<(), Error> {
        check(|error| unsafe { sys::plot_engine_keep_decisions(self.0, capacity, error) })
    }

    /// The newest `limit` decisions that are kept, 0 for all, as a JSON array.
    pub fn decisions(&self, campaign_id: Option<&str>, region_id: Option<&str>, limit: usize) -> Result<String, Error> {
        let (campaign, region) = (optional("campaign_id", campaign_id)?, optional("region_id", region_id)?);
        made(|out, error| unsafe {
            sys::plot_engine_get_decisions(self.0, address(&campaign), address(&region), limit, out, error)
        })
        .map(taken)
    }

    /// Why a campaign has not been shown, or when it was, as a JSON object (`docs/explain.md`).
    pub fn explain(&self, campaign_id: &str, region_id: Option<&str>, language: Option<&str>) -> Result<String, Error> {
        let campaign = text("campaign_id", campaign_id)?;
        let (region, language) = (optional("region_id", region_id)?, optional("language", language)?);
        made(|out, error| unsafe {
            sys::plot_engine_explain(self.0, campaign.as_ptr(), address(&region), address(&language), out, error)
        })
        .map(taken)
    }

    /// All that a store keeps, but for the feed, as bytes.
    pub fn save(&self, flags: i32) -> Result<Vec<u8>, Error> {
        let string = made(|out, error| unsafe { sys::plot_engine_save(self.0, flags, out, error) })?;
        unsafe {
            let (start, length) = (sys::plot_string_get(string), sys::plot_string_get_length(string));
            let bytes = std::slice::from_raw_parts(start as *const u8, length).to_vec();
            sys::plot_string_free(string);
            Ok(bytes)
        }
    }

    /// Starts an engine with what [`Engine::save`] gave, in place of [`Engine::init`]; at the newest time that it knows
    /// without a `time`.
    pub fn restore(
        &self,
        time: Option<Milliseconds>,
        config: &Config,
        feed: Option<&Feed>,
        store_path: Option<&str>,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let store = optional("store_path", store_path)?;
        check(|error| unsafe {
            sys::plot_engine_restore(
                self.0,
                time.unwrap_or(-1),
                config.as_ptr(),
                feed.map_or(ptr::null(), Feed::as_ptr),
                address(&store),
                bytes.as_ptr().cast(),
                bytes.len(),
                error,
            )
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        unsafe { sys::plot_engine_free(self.0) }
    }
}
