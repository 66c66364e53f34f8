use crate::error::{address, check, made, optional, text, Error};
use crate::{borrowed, sys, taken, Milliseconds};
use std::ptr::NonNull;

/// A read `plotconfig.json`; it never changes.
pub struct Config(NonNull<sys::plot_config>);

unsafe impl Send for Config {}
unsafe impl Sync for Config {}

impl Config {
    pub fn load(path: &str) -> Result<Config, Error> {
        let path = text("path", path)?;
        made(|out, error| unsafe { sys::plot_config_load(path.as_ptr(), out, error) }).map(Config::from)
    }

    pub fn parse(json: &str) -> Result<Config, Error> {
        made(|out, error| unsafe { sys::plot_config_parse(json.as_ptr().cast(), json.len(), out, error) })
            .map(Config::from)
    }

    /// Every property with its value, defaults filled in.
    pub fn to_json(&self) -> Result<String, Error> {
        made(|out, error| unsafe { sys::plot_config_to_json(self.as_ptr(), out, error) }).map(taken)
    }

    /// One sentence each.
    pub fn warnings(&self) -> Vec<&str> {
        unsafe {
            (0..sys::plot_config_get_warning_count(self.as_ptr()))
                .map(|index| borrowed(sys::plot_config_get_warning(self.as_ptr(), index)))
                .collect()
        }
    }

    pub fn as_ptr(&self) -> *const sys::plot_config {
        self.0.as_ptr()
    }

    fn from(raw: *mut sys::plot_config) -> Config {
        Config(NonNull::new(raw).expect("PLOT_OK comes with an object"))
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        unsafe { sys::plot_config_free(self.0.as_ptr()) }
    }
}

/// A read campaign feed; it never changes, and may serve many engines.
pub struct Feed(NonNull<sys::plot_feed>);

unsafe impl Send for Feed {}
unsafe impl Sync for Feed {}

impl Feed {
    pub fn load(path: &str) -> Result<Feed, Error> {
        let path = text("path", path)?;
        made(|out, error| unsafe { sys::plot_feed_load(path.as_ptr(), out, error) }).map(Feed::from)
    }

    pub fn parse(json: &str) -> Result<Feed, Error> {
        made(|out, error| unsafe { sys::plot_feed_parse(json.as_ptr().cast(), json.len(), out, error) }).map(Feed::from)
    }

    /// A feed from a GeoJSON FeatureCollection; `options` is JSON text.
    pub fn import_geojson(json: &str, options: Option<&str>) -> Result<Feed, Error> {
        let options = optional("options", options)?;
        made(|out, error| unsafe {
            sys::plot_feed_import_geojson(json.as_ptr().cast(), json.len(), address(&options), out, error)
        })
        .map(Feed::from)
    }

    /// A compiled feed, from its file.
    pub fn map(path: &str) -> Result<Feed, Error> {
        let path = text("path", path)?;
        made(|out, error| unsafe { sys::plot_feed_map(path.as_ptr(), out, error) }).map(Feed::from)
    }

    /// Compiles it into a file.
    pub fn save(&self, path: &str) -> Result<(), Error> {
        let path = text("path", path)?;
        check(|error| unsafe { sys::plot_feed_save(self.as_ptr(), path.as_ptr(), error) })
    }

    pub fn to_json(&self) -> Result<String, Error> {
        made(|out, error| unsafe { sys::plot_feed_to_json(self.as_ptr(), out, error) }).map(taken)
    }

    /// Ids of regions, in the order of the feed.
    pub fn region_ids(&self) -> Vec<&str> {
        unsafe {
            (0..sys::plot_feed_get_region_count(self.as_ptr()))
                .map(|position| borrowed(sys::plot_feed_get_region_id(self.as_ptr(), position)))
                .collect()
        }
    }

    /// Ids of campaigns, in the order of the feed.
    pub fn campaign_ids(&self) -> Vec<&str> {
        unsafe {
            (0..sys::plot_feed_get_campaign_count(self.as_ptr()))
                .map(|position| borrowed(sys::plot_feed_get_campaign_id(self.as_ptr(), position)))
                .collect()
        }
    }

    pub fn as_ptr(&self) -> *const sys::plot_feed {
        self.0.as_ptr()
    }

    fn from(raw: *mut sys::plot_feed) -> Feed {
        Feed(NonNull::new(raw).expect("PLOT_OK comes with an object"))
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        unsafe { sys::plot_feed_free(self.0.as_ptr()) }
    }
}

/// Faults and likely slips in a configuration, a feed or both: a JSON array of findings. `now`: what is over by then
/// is found, too.
pub fn lint(config: Option<&str>, feed: Option<&str>, now: Option<Milliseconds>) -> Result<String, Error> {
    let start = |text: Option<&str>| text.map_or(std::ptr::null(), |text| text.as_ptr().cast());
    let length = |text: Option<&str>| text.map_or(0, str::len);
    made(|out, error| unsafe {
        sys::plot_lint(start(config), length(config), start(feed), length(feed), now.unwrap_or(-1), out, error)
    })
    .map(taken)
}
