//! The layer itself; what the engine does is proved by the vectors.

use plotengine::{sys, Config, Engine, Feed, Fix, List, Strategy};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

const NOW: i64 = 1_779_962_400_000;
const FEED: &str = r#"{"version": 1,
  "regions": [{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
  "campaigns": [{"id": "welcome", "type": "notification", "message": "Welcome!", "regions": ["museum"]}]}"#;

fn started() -> Engine {
    let engine = Engine::new().unwrap();
    engine.init(NOW, &Config::parse("{}").unwrap(), None).unwrap();
    engine.set_feed(NOW, &Feed::parse(FEED).unwrap()).unwrap();
    engine
}

/// Counts how often it is dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn table_fits_the_library() {
    assert!(plotengine::abi_version() >= sys::ABI_VERSION);
    assert_eq!(plotengine::version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(std::mem::size_of::<sys::plot_effect>(), 40);
    assert_eq!(plotengine::status_name(sys::PLOT_OUT_OF_ORDER), "PLOT_OUT_OF_ORDER");
}

#[test]
fn errors_say_where() {
    let error = Feed::parse("{\"version\": 1,\n \"regions\": [{\"id\": 7}], \"campaigns\": []}").err().unwrap();
    assert_eq!((error.status, error.name()), (sys::PLOT_INVALID_DOCUMENT, "PLOT_INVALID_DOCUMENT"));
    assert_eq!((error.line, error.pointer.as_str()), (2, "/regions/0"));
    assert!(error.to_string().contains("expected \"type\""), "{error}");
    assert_eq!((error.kind.as_str(), error.page.as_str()), ("missing-key", "docs/errors.md#missing-key"));
    assert!(!error.cure.is_empty());
    let engine = started();
    let error = engine.update_location(NOW, Fix::new(91.0, 0.0, 0.0)).unwrap_err();
    assert_eq!(error.status, sys::PLOT_INVALID_ARGUMENT);
    assert!(error.message.contains("latitude"), "{error}");
}

#[test]
fn texts_with_a_nul_are_refused() {
    let error = started().set_time_zone(NOW, "Europe/\0").unwrap_err();
    assert_eq!(error.status, sys::PLOT_INVALID_ARGUMENT);
    assert_eq!(error.message, "zone: expected a text without U+0000, found one with it");
    // Bytes with a length may have any: the library itself says what is wrong with them.
    assert_eq!(Feed::parse("\0").err().unwrap().status, sys::PLOT_INVALID_DOCUMENT);
}

#[test]
fn closures_go_exactly_once() {
    let count = Arc::new(AtomicUsize::new(0));
    let closure = |count: &Arc<AtomicUsize>| {
        let held = Dropped(count.clone());
        move |_: &Engine, _: &str, _: Option<&plotengine::ItemRef>| {
            let _ = &held;
        }
    };
    let engine = Engine::new().unwrap();
    engine.on_event(closure(&count)).unwrap();
    engine.on_event(closure(&count)).unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 1, "replaced");
    engine.remove_event().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 2, "removed");
    engine.on_event(closure(&count)).unwrap();
    engine.close().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 3, "closed");
    assert_eq!(engine.on_event(closure(&count)).unwrap_err().status, sys::PLOT_CLOSED);
    assert_eq!(count.load(Ordering::SeqCst), 4, "refused");
    drop(engine);
    assert_eq!(count.load(Ordering::SeqCst), 4);
}

#[test]
fn a_callback_may_replace_itself_and_call_the_engine() {
    let engine = started();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let first = lines.clone();
    engine
        .on_show(move |engine, item| {
            first.lock().unwrap().push(item.copy().unwrap().text("message").unwrap().to_owned());
            engine.remove_show().unwrap();
            assert!(engine.visits().unwrap().contains("museum"));
            true
        })
        .unwrap();
    engine.update_location(NOW, Fix::new(52.36, 4.885, 10.0)).unwrap();
    assert_eq!(*lines.lock().unwrap(), ["Welcome!"]);
    assert_eq!(engine.sent_notifications().unwrap().len(), 1);
}

#[test]
fn filters_edit_and_drop() {
    let engine = started();
    let shown = Arc::new(Mutex::new(String::new()));
    engine
        .on_filter(|engine, token, items| {
            let item = items.get_mut(0).unwrap();
            item.set_text("message", "Hello!").unwrap();
            item.set_json("userInfo", "{\"a\":[1]}").unwrap();
            assert_eq!(item.set_text("trigger", "exit").unwrap_err().status, sys::PLOT_READ_ONLY_KEY);
            engine.answer_filter(0, token, items).unwrap();
        })
        .unwrap();
    let seen = shown.clone();
    engine
        .on_show(move |_, item| {
            *seen.lock().unwrap() = format!("{} {}", item.text("message").unwrap(), item.json("userInfo").unwrap());
            true
        })
        .unwrap();
    engine.update_location(NOW, Fix::new(52.36, 4.885, 10.0)).unwrap();
    assert_eq!(*shown.lock().unwrap(), "Hello! {\"a\":[1]}");
    assert!(List::new().unwrap().is_empty());
}

#[test]
fn strategies_say_no_and_keep_their_state() {
    struct Never(mpsc::Sender<String>);
    impl Strategy for Never {
        fn may_create(&self, _: &Engine, vote: &plotengine::Vote) -> bool {
            self.0.send(vote.item.text("campaignId").unwrap().to_owned()).unwrap();
            false
        }
        fn load(&mut self, _: &Engine, state: Option<&str>) {
            self.0.send(state.unwrap_or("none").to_owned()).unwrap();
        }
        fn save(&mut self, _: &Engine) -> Option<String> {
            Some("kept".into())
        }
    }
    let (sender, receiver) = mpsc::channel();
    let engine = Engine::new().unwrap();
    engine.set_strategy("never", Never(sender.clone())).unwrap();
    engine.init(NOW, &Config::parse("{}").unwrap(), None).unwrap();
    engine.set_feed(NOW, &Feed::parse(FEED).unwrap()).unwrap();
    engine.update_location(NOW, Fix::new(52.36, 4.885, 10.0)).unwrap();
    assert!(engine.sent_notifications().unwrap().is_empty());
    let bytes = engine.save(0).unwrap();
    let other = Engine::new().unwrap();
    other.set_strategy("never", Never(sender)).unwrap();
    other.restore(None, &Config::parse("{}").unwrap(), Some(&Feed::parse(FEED).unwrap()), None, &bytes).unwrap();
    drop((engine, other));
    let told: Vec<String> = receiver.iter().collect();
    assert_eq!(told[0], "none");
    assert!(told.contains(&"welcome".to_owned()) && told.contains(&"kept".to_owned()), "{told:?}");
}

#[test]
fn one_engine_on_many_threads() {
    let engine = Arc::new(started());
    let (sender, receiver) = mpsc::channel();
    engine.on_event(move |_, record, _| sender.send(record.to_owned()).unwrap()).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let engine = engine.clone();
            thread::spawn(move || {
                for _ in 0..50 {
                    engine.update_location(NOW, Fix::new(52.36, 4.885, 10.0)).unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    engine.close().unwrap();
    let events: Vec<String> = receiver.iter().filter(|record| record.contains("region-enter")).collect();
    assert_eq!(events.len(), 1);
}

/// It cannot go through the library.
#[test]
fn a_panic_ends_the_process() {
    if std::env::var_os("PLOT_TEST_PANIC").is_some() {
        let engine = started();
        engine.on_show(|_, _| panic!("of the host")).unwrap();
        engine.update_location(NOW, Fix::new(52.36, 4.885, 10.0)).unwrap();
        unreachable!("the process goes on");
    }
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "a_panic_ends_the_process", "--nocapture"];
    let ended = std::process::Command::new(program).args(arguments).env("PLOT_TEST_PANIC", "1").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), None, "it ended by itself: {said}");
    assert!(said.contains("of the host") && !said.contains("the process goes on"), "{said}");
}
