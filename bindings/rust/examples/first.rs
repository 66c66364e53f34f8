//! One place, one fix inside it, and the message that a phone would show, or the reason why it would not.

use plotengine::{Config, Engine, Error, Feed, Fix};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

const FEED: &str = r#"{"version": 1,
  "regions": [{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
  "campaigns": [{"id": "welcome", "type": "notification", "message": "Welcome!", "regions": ["museum"]}]}"#;

fn main() -> Result<(), Error> {
    let shown = Arc::new(AtomicBool::new(false));
    let engine = Engine::new()?;
    let seen = shown.clone();
    engine.on_show(move |_, notification| {
        println!("{}", notification.text("message").unwrap_or(""));
        seen.store(true, Ordering::Relaxed);
        true
    })?;
    let now = 1_779_962_400_000; // 2026-05-28T10:00:00Z, in milliseconds since 1970
    engine.init(now, &Config::parse("{}")?, None)?;
    engine.set_feed(now, &Feed::parse(FEED)?)?;
    engine.update_location(now, Fix::new(52.3601, 4.8851, 10.0))?;
    if !shown.load(Ordering::Relaxed) {
        println!("{}", engine.explain("welcome", None, Some("en"))?);
    }
    Ok(())
}
