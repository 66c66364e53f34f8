//! Plays one scenario; its effects are lines of text.

use crate::json::{quoted, Document, Value};
use plotengine::{
    live_objects, status_name, Config, Engine, Error, Feed, Fix, Hint, ItemRef, List, ListRef, Opening, Strategy, Vote,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::{env, fs};

/// A fault of the scenario, or of an input.
enum Fault {
    Scenario(String),
    Input(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Input(error)
    }
}

impl From<String> for Fault {
    fn from(words: String) -> Fault {
        Fault::Scenario(words)
    }
}

type Done<T = ()> = Result<T, Fault>;

/// State that callbacks and inputs share.
#[derive(Default)]
struct Log {
    effects: String,
    /// Of the batches that the filter, and the geotrigger callback, was asked about.
    tokens: [Vec<u64>; 2],
    /// The matchIdentifier of each notification shown.
    shown: Vec<String>,
    has_failed: bool,
    newest: i64,
    /// The first fault of a callback.
    fault: Option<String>,
}

type Shared = Arc<Mutex<Log>>;

fn add(log: &Shared, line: String) {
    let mut log = log.lock().unwrap();
    log.effects.push_str(&line);
    log.effects.push('\n');
}

const FILTER: usize = 0;
const GEOTRIGGERS: usize = 1;

// ---- Values of a scenario ------------------------------------------------------------------------------------------

/// Every key must be one that the format knows.
fn only<'a>(object: Value<'a>, keys: &str) -> Result<Value<'a>, String> {
    if !object.is_object() {
        return Err(format!("expected an object with {keys}"));
    }
    for (key, _) in object.members() {
        if !keys.split(' ').any(|known| known == key) {
            return Err(format!("unknown key \"{key}\"; expected {keys}"));
        }
    }
    Ok(object)
}

fn optional_text<'a>(object: Value<'a>, key: &str) -> Result<Option<&'a str>, String> {
    match object.get(key) {
        None => Ok(None),
        Some(value) => value.text().map(Some).ok_or(format!("{key}: expected a string")),
    }
}

fn text<'a>(object: Value<'a>, key: &str) -> Result<&'a str, String> {
    optional_text(object, key)?.ok_or(format!("{key}: expected a string"))
}

fn integer(object: Value, key: &str) -> Result<i64, String> {
    object.get(key).and_then(Value::integer).ok_or(format!("{key}: expected an integer"))
}

fn number(object: Value, key: &str, otherwise: Option<f64>) -> Result<f64, String> {
    match object.get(key) {
        None => otherwise,
        Some(value) => value.number(),
    }
    .ok_or(format!("{key}: expected a number"))
}

fn flag(object: Value, key: &str) -> Result<bool, String> {
    match object.get(key) {
        None => Ok(false),
        Some(value) => value.boolean().ok_or(format!("{key}: expected true or false")),
    }
}

fn array<'a>(object: Value<'a>, key: &str) -> Result<Vec<Value<'a>>, String> {
    match object.get(key) {
        Some(value) if value.is_array() => Ok(value.elements()),
        _ => Err(format!("{key}: expected an array")),
    }
}

fn object<'a>(parent: Value<'a>, key: &str) -> Result<Value<'a>, String> {
    parent.get(key).filter(|value| value.is_object()).ok_or(format!("{key}: expected an object"))
}

/// Milliseconds since 1970 of `2026-05-16T10:00:00Z`, with milliseconds where wanted.
fn milliseconds(iso: &str) -> Result<i64, String> {
    let wrong = || format!("expected a time as 2026-05-16T10:00:00Z, found \"{iso}\"");
    let bytes = iso.as_bytes();
    let form = "0000-00-00T00:00:00";
    let is_form = |(byte, like): (&u8, u8)| if like == b'0' { byte.is_ascii_digit() } else { *byte == like };
    if bytes.len() < 20 || !bytes.iter().zip(form.bytes()).all(is_form) {
        return Err(wrong());
    }
    let part = |from: usize, to: usize| iso[from..to].parse::<i64>().map_err(|_| wrong());
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    let rest = match &iso[19..] {
        "Z" => 0,
        more if more.len() == 5 && more.starts_with('.') && more.ends_with('Z') => {
            more[1..4].parse::<i64>().map_err(|_| wrong())?
        }
        _ => return Err(wrong()),
    };
    // Years begin in March, so that the leap day comes last.
    let shifted = if month > 2 { year } else { year - 1 };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = shifted * 365 + shifted.div_euclid(4) - shifted.div_euclid(100) + shifted.div_euclid(400) + of_year;
    Ok((((days - 719_468) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + rest)
}

fn time_of(object: Value) -> Result<i64, String> {
    milliseconds(text(object, "time")?)
}

fn position(value: Value) -> Result<Fix, String> {
    Ok(Fix {
        latitude: number(value, "latitude", None)?,
        longitude: number(value, "longitude", None)?,
        accuracy: number(value, "accuracy", Some(0.0))?,
        speed: number(value, "speed", Some(-1.0))?,
        course: number(value, "course", Some(-1.0))?,
    })
}

/// With a latitude only.
fn optional_position(value: Value) -> Result<Option<Fix>, String> {
    value.get("latitude").map(|_| position(value)).transpose()
}

/// The changes of a rule, or of an item of an answer.
fn edit(item: &mut ItemRef, changes: Value) -> Done {
    for key in ["message", "data"] {
        if let Some(value) = optional_text(changes, key)? {
            item.set_text(key, value)?;
        }
    }
    if let Some(set) = changes.get("set") {
        for (key, value) in set.members() {
            if value.is_null() {
                item.clear(key)?;
            } else {
                item.set_json(key, &value.json())?;
            }
        }
    }
    Ok(())
}

// ---- Callbacks -----------------------------------------------------------------------------------------------------

/// The host of a scenario. Callbacks outlive no run, but the compiler cannot know it: they have the document itself.
#[derive(Clone)]
struct Host {
    document: Arc<Document>,
    log: Shared,
}

impl Host {
    fn rules(&self) -> Value<'_> {
        self.document.value()
    }

    fn must<T>(&self, done: Done<T>) -> Option<T> {
        match done {
            Ok(value) => Some(value),
            Err(fault) => {
                let words = match fault {
                    Fault::Scenario(words) => words,
                    Fault::Input(error) => error.to_string(),
                };
                self.log.lock().unwrap().fault.get_or_insert(words);
                None
            }
        }
    }

    /// Keeps, edits and drops the items of a batch: for each the first rule that matches.
    fn batch(&self, kind: usize, engine: &Engine, token: u64, items: &mut ListRef) -> Done {
        let name = ["filter", "geotriggers"][kind];
        add(&self.log, format!("{{\"effect\":\"{name}\",\"token\":{token},\"items\":{}}}", items.to_json()?));
        let newest = {
            let mut log = self.log.lock().unwrap();
            if !log.tokens[kind].contains(&token) {
                log.tokens[kind].push(token);
            }
            log.newest
        };
        let rules = match self.rules().get(name) {
            Some(rules) if rules.is_array() => rules.elements(),
            _ => return Ok(()),
        };
        let mut index = 0;
        while index < items.len() {
            let item = items.get_mut(index).ok_or("the batch has fewer items than it had".to_owned())?;
            let mut found = None;
            for rule in &rules {
                only(*rule, if kind == FILTER { "identifier message data set drop" } else { "identifier drop" })?;
                let identifier = optional_text(*rule, "identifier")?;
                if found.is_none() && (identifier.is_none() || identifier == item.text("identifier")) {
                    found = Some(*rule);
                }
            }
            match found {
                Some(rule) if flag(rule, "drop")? => {
                    items.remove(index)?;
                    continue;
                }
                Some(rule) => edit(item, rule)?,
                None => {}
            }
            index += 1;
        }
        if kind == FILTER {
            engine.answer_filter(newest, token, items)?;
        } else {
            engine.mark_geotriggers_handled(newest, token, items)?;
        }
        Ok(())
    }

    fn show(&self, item: &ItemRef) -> Done<bool> {
        add(&self.log, format!("{{\"effect\":\"show\",\"item\":{}}}", item.to_json()?));
        let how = optional_text(self.rules(), "show")?.unwrap_or("ok");
        let mut log = self.log.lock().unwrap();
        if how == "fail" || (how == "failOnce" && !log.has_failed) {
            log.has_failed = true;
            return Ok(false);
        }
        log.shown.push(item.text("matchIdentifier").unwrap_or("").to_owned());
        Ok(true)
    }

    fn remove(&self, item: &ItemRef) -> Done<bool> {
        add(&self.log, format!("{{\"effect\":\"remove\",\"item\":{}}}", item.to_json()?));
        Ok(optional_text(self.rules(), "remove")? != Some("fail"))
    }

    fn has(&self, kind: &str) -> Result<bool, String> {
        match self.rules().get(kind) {
            None => Ok(false),
            Some(rules) if rules.is_array() => Ok(true),
            Some(word) => match word.text() {
                Some("none") => Ok(false),
                Some("later") => Ok(true),
                _ => Err(format!("{kind}: expected \"none\", \"later\" or rules")),
            },
        }
    }

    fn register(&self, engine: &Engine, has_decisions: bool) -> Done {
        let host = self.clone();
        engine.on_event(move |_, record, _| add(&host.log, format!("{{\"effect\":\"event\",\"record\":{record}}}")))?;
        let host = self.clone();
        engine.on_open(move |_, action, uri, item| {
            let number = match action {
                Opening::App => 0,
                Opening::Uri => 1,
                Opening::LandingPage => 2,
                Opening::Applink => 3,
                Opening::Data => 4,
                Opening::Other(number) => number,
            };
            let json = host.must(item.to_json().map_err(Fault::from)).unwrap_or_default();
            add(
                &host.log,
                format!("{{\"effect\":\"open\",\"action\":{number},\"uri\":{},\"item\":{json}}}", quoted(uri)),
            );
        })?;
        let host = self.clone();
        engine.on_wakeup(move |_, time| {
            add(&host.log, format!("{{\"effect\":\"wakeup\",\"time\":{}}}", time.unwrap_or(-1)));
        })?;
        let host = self.clone();
        engine.on_fix_request(move |_, deadline| {
            add(&host.log, format!("{{\"effect\":\"fixRequest\",\"deadline\":{deadline}}}"));
        })?;
        if flag(self.rules(), "sync")? {
            let host = self.clone();
            engine.on_sync(move |_, status, next| {
                let next = next.unwrap_or(-1);
                add(&host.log, format!("{{\"effect\":\"syncStatus\",\"next\":{next},\"value\":{status}}}"));
            })?;
        }
        if has_decisions {
            let host = self.clone();
            engine.on_decision(move |_, record| {
                add(&host.log, format!("{{\"effect\":\"decision\",\"record\":{record}}}"));
            })?;
        }
        if self.has("filter")? {
            let host = self.clone();
            engine.on_filter(move |engine, token, items| {
                host.must(host.batch(FILTER, engine, token, items));
            })?;
        }
        if self.has("geotriggers")? {
            let host = self.clone();
            engine.on_geotriggers(move |engine, token, items| {
                host.must(host.batch(GEOTRIGGERS, engine, token, items));
            })?;
        }
        match optional_text(self.rules(), "show")?.unwrap_or("ok") {
            "ok" | "fail" | "failOnce" => {
                let host = self.clone();
                engine.on_show(move |_, item| host.must(host.show(item)).unwrap_or(false))?;
            }
            "none" => {}
            other => return Err(format!("show: unknown word \"{other}\"").into()),
        }
        if optional_text(self.rules(), "remove")? != Some("none") {
            let host = self.clone();
            engine.on_remove(move |_, item| host.must(host.remove(item)).unwrap_or(false))?;
        }
        if self.rules().get("strategies").is_some() {
            for rule in array(self.rules(), "strategies")? {
                only(rule, "key veto vetoDelete minimumTime")?;
                let words = |key: &str| -> Vec<String> {
                    let list = rule.get(key).map(Value::elements).unwrap_or_default();
                    list.iter().filter_map(|word| word.text()).map(str::to_owned).collect()
                };
                let minimum = rule.get("minimumTime").map(|_| integer(rule, "minimumTime")).transpose()?;
                let key = text(rule, "key")?;
                engine.set_strategy(
                    key,
                    Votes {
                        host: self.clone(),
                        key: key.to_owned(),
                        veto: words("veto"),
                        veto_delete: words("vetoDelete"),
                        minimum,
                        shown: 0,
                        next: 0,
                    },
                )?;
            }
        }
        if flag(self.rules(), "handler")? {
            let host = self.clone();
            engine.on_notification(move |_, item, data| {
                let json = host.must(item.to_json().map_err(Fault::from)).unwrap_or_default();
                add(&host.log, format!("{{\"effect\":\"handler\",\"item\":{json},\"data\":{}}}", quoted(data)));
            })?;
        }
        Ok(())
    }
}

/// A strategy of a scenario.
struct Votes {
    host: Host,
    key: String,
    veto: Vec<String>,
    veto_delete: Vec<String>,
    /// Seconds.
    minimum: Option<i64>,
    /// How many displays were reported to it; its state, with `next` where there is a `minimum`.
    shown: i64,
    /// Until then it says no.
    next: i64,
}

impl Votes {
    fn line(&self, effect: &str, what: &str, vote: Option<&Vote>, rest: &str) {
        let item = vote.and_then(|vote| vote.item.text("identifier"));
        let item = item.map_or(String::new(), |name| format!(",\"identifier\":{}", quoted(name)));
        let key = quoted(&self.key);
        add(&self.host.log, format!("{{\"effect\":\"{effect}\",\"strategy\":{key},\"what\":\"{what}\"{item}{rest}}}"));
    }

    fn departure(&self, vote: &Vote) -> String {
        let details = self.host.must(Document::read(vote.details).map_err(Fault::from));
        let cause = details.as_ref().and_then(|details| details.value().get("cause")?.text()).unwrap_or("");
        let next = vote.next.and_then(|item| item.text("identifier"));
        let next = next.map_or(String::new(), |name| format!(",\"next\":{}", quoted(name)));
        format!(",\"cause\":{}{next}", quoted(cause))
    }

    fn campaign<'a>(&self, vote: &Vote<'a>) -> &'a str {
        vote.item.text("campaignId").unwrap_or("")
    }
}

impl Strategy for Votes {
    fn update_parameters(&mut self, _: &Engine, json: &str) {
        self.line("told", "updateParameters", None, &format!(",\"json\":{json}"));
    }

    fn may_create(&self, _: &Engine, vote: &Vote) -> bool {
        let agrees = !self.veto.iter().any(|id| id == self.campaign(vote)) && vote.time >= self.next;
        self.line("vote", "create", Some(vote), &format!(",\"agrees\":{agrees}"));
        agrees
    }

    fn may_delete(&self, _: &Engine, vote: &Vote) -> bool {
        let agrees = !self.veto_delete.iter().any(|id| id == self.campaign(vote));
        self.line("vote", "delete", Some(vote), &format!("{},\"agrees\":{agrees}", self.departure(vote)));
        agrees
    }

    fn created(&mut self, _: &Engine, vote: &Vote, done: bool) {
        self.line("told", "created", Some(vote), &format!(",\"done\":{done}"));
        self.shown += i64::from(done);
    }

    fn deleted(&mut self, _: &Engine, vote: &Vote, done: bool) {
        self.line("told", "deleted", Some(vote), &format!("{},\"done\":{done}", self.departure(vote)));
        if let (true, Some(seconds)) = (done, self.minimum) {
            self.next = vote.time + 1000 * seconds;
        }
    }

    fn background(&mut self, _: &Engine) {
        self.line("told", "background", None, "");
    }

    fn foreground(&mut self, _: &Engine) {
        self.line("told", "foreground", None, "");
    }

    fn start_monitoring(&mut self, _: &Engine, json: &str) {
        self.line("told", "startMonitoring", None, &format!(",\"json\":{json}"));
    }

    fn load(&mut self, _: &Engine, state: Option<&str>) {
        self.line("told", "load", None, &format!(",\"state\":{}", state.map_or("null".to_owned(), quoted)));
        let mut numbers = state.unwrap_or("0").split(' ').map(|word| word.parse().unwrap_or(0));
        self.shown = numbers.next().unwrap_or(0);
        self.next = numbers.next().unwrap_or(0);
    }

    fn save(&mut self, _: &Engine) -> Option<String> {
        Some(if self.minimum.is_some() { format!("{} {}", self.shown, self.next) } else { self.shown.to_string() })
    }
}

// ---- A run ---------------------------------------------------------------------------------------------------------

struct Run<'a> {
    scenario: Value<'a>,
    host: Host,
    config: Config,
    engine: Engine,
    store: Option<PathBuf>,
    /// Engines that were recorded.
    lives: usize,
}

/// The effects of a scenario.
pub fn play(scenario: Value) -> Result<String, String> {
    let store = if flag(scenario, "store")? {
        let folder = env::temp_dir().join(format!("plot-vectors-{}-{}", std::process::id(), text(scenario, "name")?));
        fs::create_dir(&folder).map_err(|fault| fault.to_string())?;
        Some(folder)
    } else {
        None
    };
    let played = play_in(scenario, store.as_ref().map(|folder| folder.join("store")));
    if let Some(folder) = store {
        fs::remove_dir_all(folder).map_err(|fault| fault.to_string())?;
    }
    let effects = played.map_err(|fault| match fault {
        Fault::Scenario(words) => words,
        Fault::Input(error) => error.to_string(),
    })?;
    match live_objects() {
        0 => Ok(effects),
        count => Err(format!("{count} objects of the library are still alive")),
    }
}

fn play_in(scenario: Value, store: Option<PathBuf>) -> Done<String> {
    only(scenario, "name area description config feed start clock store decisions host inputs")?;
    let rules = scenario.get("host").map_or("{}".to_owned(), Value::json);
    let document = Arc::new(Document::read(&rules)?);
    only(document.value(), "filter geotriggers show remove handler strategies sync")?;
    let log: Shared = Arc::default();
    let start = milliseconds(text(scenario, "start")?)?;
    log.lock().unwrap().newest = start;
    let config = Config::parse(&object(scenario, "config")?.json())?;
    let mut run =
        Run { scenario, host: Host { document, log: log.clone() }, config, engine: Engine::new()?, store, lives: 0 };
    run.start(start, scenario.get("clock"))?;
    run.engine.set_feed(start, &Feed::parse(&object(scenario, "feed")?.json())?)?;
    for (index, input) in array(scenario, "inputs")?.into_iter().enumerate() {
        match run.take(input) {
            Ok(()) => {}
            Err(Fault::Scenario(words)) => return Err(format!("input {index}: {words}").into()),
            Err(Fault::Input(error)) => {
                let words = quoted(&error.message);
                let name = error.name();
                let line =
                    format!("{{\"effect\":\"status\",\"input\":{index},\"status\":\"{name}\",\"message\":{words}}}");
                add(&log, line);
            }
        }
        if let Some(words) = log.lock().unwrap().fault.take() {
            return Err(format!("input {index}: {words}").into());
        }
    }
    drop(run);
    let log = log.lock().unwrap();
    Ok(log.effects.clone())
}

impl Run<'_> {
    /// `clock`, where there is one, is told before `init`.
    fn start(&mut self, time: i64, clock: Option<Value>) -> Done {
        if let Ok(folder) = env::var("PLOT_VECTORS_RECORD") {
            self.lives += 1;
            let name = text(self.scenario, "name")?;
            self.engine.record_to_file(&format!("{folder}/{name}.{}.jsonl", self.lives), 0)?;
        }
        self.host.register(&self.engine, flag(self.scenario, "decisions")?)?;
        if let Some(clock) = clock {
            only(clock, "monotonic boot")?;
            self.engine.set_clock(time, integer(clock, "monotonic")?, text(clock, "boot")?)?;
        }
        let store = self.store.as_ref().map(|path| path.to_string_lossy().into_owned());
        Ok(self.engine.init(time, &self.config, store.as_deref())?)
    }

    fn add(&self, effect: &str, value: &str) {
        add(&self.host.log, format!("{{\"effect\":\"{effect}\",\"value\":{value}}}"));
    }

    /// The matchIdentifier of the notification that an input is about.
    fn shown(&self, value: Value) -> Result<String, String> {
        let number = integer(value, "notification")?;
        let log = self.host.log.lock().unwrap();
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        log.shown.get(index).cloned().ok_or(format!("notification: {} were shown so far", log.shown.len()))
    }

    fn take(&mut self, input: Value) -> Done {
        let (name, value) = match (input.get("clear"), input.members().as_slice()) {
            (Some(_), _) => ("clear", only(input, "clear time")?),
            (None, [(name, value)]) => (*name, *value),
            _ => return Err("expected an object with one key".to_owned().into()),
        };
        match name {
            "list" => {
                let kind = value.text().ok_or("list: expected a string".to_owned())?;
                self.add("list", &self.list(kind)?);
                return Ok(());
            }
            "advanceToWakeup" => {
                if let Some(wakeup) = self.engine.next_wakeup()? {
                    self.later(wakeup);
                    self.engine.advance(wakeup)?;
                }
                return Ok(());
            }
            "explain" => {
                only(value, "campaign region language")?;
                let (region, language) = (optional_text(value, "region")?, optional_text(value, "language")?);
                self.add("explain", &self.engine.explain(text(value, "campaign")?, region, language)?);
                return Ok(());
            }
            "sync" => return self.synchronize(value),
            "keepDecisions" => {
                return Ok(self.engine.keep_decisions(integer(only(value, "capacity")?, "capacity")?)?)
            }
            "getDecisions" => {
                only(value, "campaign region limit")?;
                let limit = value.get("limit").map_or(Ok(0), |_| integer(value, "limit"))?;
                let limit = usize::try_from(limit).map_err(|_| "limit: expected 0 or more".to_owned())?;
                let (campaign, region) = (optional_text(value, "campaign")?, optional_text(value, "region")?);
                self.add("decisions", &self.engine.decisions(campaign, region, limit)?);
                return Ok(());
            }
            _ => {}
        }
        let time = time_of(value)?;
        self.later(time);
        self.timed(name, value, time)
    }

    /// The synchronization: one call of it.
    fn synchronize(&self, value: Value) -> Done {
        let engine = &self.engine;
        let call = text(value, "call")?;
        let told = |json: String| {
            add(&self.host.log, format!("{{\"effect\":\"sync\",\"call\":\"{call}\",\"value\":{json}}}"));
        };
        if call == "status" {
            only(value, "call")?;
            told(engine.sync_status()?);
            return Ok(());
        }
        let time = time_of(value)?;
        self.later(time);
        let keys = |names: &str| only(value, &format!("call time {names}")).map(|_| ());
        match call {
            "begin" => {
                keys("facts feed seed")?;
                let feed = value.get("feed").map(|feed| Feed::parse(&feed.json())).transpose()?;
                let facts = value.get("facts").map(|facts| facts.json());
                engine.sync_begin(time, facts.as_deref(), feed.as_ref(), text(value, "seed")?.as_bytes())?;
            }
            "next" => {
                keys("")?;
                told(engine.sync_next(time)?);
            }
            "response" => {
                keys("request status headers body")?;
                let mut lines = String::new();
                for (name, line) in value.get("headers").map_or(vec![], |headers| headers.members()) {
                    lines += &format!("{name}: {}\n", line.text().ok_or("headers: expected texts".to_owned())?);
                }
                let body = optional_text(value, "body")?.unwrap_or("");
                let (request, status) = (integer(value, "request")?, integer(value, "status")? as i32);
                engine.sync_response(time, request, status, &lines, body.as_bytes())?;
            }
            "failure" => {
                keys("request reason")?;
                engine.sync_failure(time, integer(value, "request")?, text(value, "reason")?)?;
            }
            "receive" => {
                keys("request text")?;
                engine.sync_receive(time, integer(value, "request")?, text(value, "text")?.as_bytes())?;
            }
            "message" => {
                keys("payload")?;
                let payload = value.get("payload").ok_or("payload: expected a value".to_owned())?;
                engine.sync_message(time, &payload.json())?;
            }
            "now" => {
                keys("")?;
                engine.sync_now(time)?;
            }
            "stop" => {
                keys("")?;
                engine.sync_stop(time)?;
            }
            _ => return Err(format!("sync: unknown call \"{call}\"").into()),
        }
        Ok(())
    }

    fn later(&self, time: i64) {
        let mut log = self.host.log.lock().unwrap();
        log.newest = log.newest.max(time);
    }

    fn timed(&mut self, name: &str, value: Value, time: i64) -> Done {
        let engine = &self.engine;
        let keys = |names: &str| only(value, &format!("time {names}")).map(|_| ());
        match name {
            "fix" => {
                keys("latitude longitude accuracy speed course")?;
                engine.update_location(time, position(value)?)?;
            }
            "fixes" => {
                keys("fixes")?;
                let mut fixes = Vec::new();
                for fix in array(value, "fixes")? {
                    only(fix, "time latitude longitude accuracy speed course")?;
                    fixes.push((time_of(fix)?, position(fix)?));
                }
                for (index, status) in engine.update_locations_together(time, &fixes)? {
                    let status = status_name(status);
                    add(&self.host.log, format!("{{\"effect\":\"status\",\"fix\":{index},\"status\":\"{status}\"}}"));
                }
            }
            "sighting" => self.sighting(value, time)?,
            "hint" => {
                keys("region kind latitude longitude accuracy")?;
                let hint = match text(value, "kind")? {
                    "enter" => Hint::Enter,
                    "exit" => Hint::Exit,
                    "inside" => Hint::Inside,
                    "outside" => Hint::Outside,
                    other => return Err(format!("hint: unknown kind \"{other}\"").into()),
                };
                engine.region_hint(time, text(value, "region")?, hint, optional_position(value)?)?;
            }
            "planRegions" => {
                keys("latitude longitude accuracy budget reset fenceLeft")?;
                let budget = value.get("budget").map_or(Ok(0), |_| integer(value, "budget"))?;
                let flags = i32::from(flag(value, "reset")?) * plotengine::sys::PLOT_PLAN_RESET
                    + i32::from(flag(value, "fenceLeft")?) * plotengine::sys::PLOT_PLAN_FENCE_LEFT;
                let plan = engine.plan_regions(time, optional_position(value)?, budget as i32, flags)?;
                self.add("plan", &plan);
            }
            "setProperty" => self.set_property(value, time)?,
            "clearProperty" => {
                keys("key")?;
                engine.clear_property(time, text(value, "key")?)?;
            }
            "answerFilter" => self.answer(FILTER, value, time)?,
            "answerGeotriggers" => self.answer(GEOTRIGGERS, value, time)?,
            "open" => {
                keys("notification")?;
                engine.open_notification(time, &self.shown(value)?)?;
            }
            "dismiss" => {
                keys("notification")?;
                engine.dismiss_notification(time, &self.shown(value)?)?;
            }
            "removeNotification" => {
                keys("notification")?;
                let shown = value.get("notification").map(|_| self.shown(value)).transpose()?;
                engine.remove_notification(time, shown.as_deref())?;
            }
            "updateNotification" => {
                keys("notification message data set")?;
                let shown = self.shown(value)?;
                let mut items = engine.displayed_notifications()?;
                let index = items.iter().position(|item| item.text("matchIdentifier") == Some(&shown));
                let item = index.and_then(|index| items.get_mut(index)).ok_or("it is not on the screen".to_owned())?;
                edit(item, value)?;
                engine.update_notification(time, item)?;
            }
            "takeAction" => {
                keys("notification action")?;
                engine.take_action(time, &self.shown(value)?, text(value, "action")?)?;
            }
            "moveRegion" => {
                keys("region latitude longitude")?;
                let (latitude, longitude) = (number(value, "latitude", None)?, number(value, "longitude", None)?);
                engine.move_region(time, text(value, "region")?, latitude, longitude)?;
            }
            "foreground" => {
                keys("value")?;
                engine.set_foreground(time, flag(value, "value")?)?;
            }
            "network" => {
                keys("value")?;
                engine.set_network(time, flag(value, "value")?)?;
            }
            "setCooldownPeriod" => {
                keys("seconds")?;
                engine.set_cooldown_period(time, integer(value, "seconds")?)?;
            }
            "setTimeZone" => {
                keys("zone")?;
                engine.set_time_zone(time, text(value, "zone")?)?;
            }
            "setFeed" => {
                keys("feed")?;
                engine.set_feed(time, &Feed::parse(&object(value, "feed")?.json())?)?;
            }
            "setAdvertisingIdentifier" => {
                keys("identifier limitTracking")?;
                let identifier = optional_text(value, "identifier")?;
                engine.set_advertising_identifier(time, identifier, flag(value, "limitTracking")?)?;
            }
            "message" => {
                keys("payload text")?;
                match value.get("payload") {
                    Some(payload) => engine.process_message(time, &payload.json())?,
                    None => engine.process_message(time, text(value, "text")?)?,
                }
            }
            "setList" => {
                keys("name list")?;
                let list = value.get("list").map(Value::json);
                engine.set_list(time, text(value, "name")?, list.as_deref())?;
            }
            "editList" => {
                keys("name add remove")?;
                let parts: Vec<String> = ["add", "remove"]
                    .iter()
                    .filter_map(|key| value.get(key).map(|list| format!("\"{key}\":{}", list.json())))
                    .collect();
                engine.edit_list(time, text(value, "name")?, &format!("{{{}}}", parts.join(",")))?;
            }
            "startTrip" => {
                keys("trip")?;
                engine.start_trip(time, &value.get("trip").map(Value::json).unwrap_or_default())?;
            }
            "endTrip" => {
                keys("trip arrived")?;
                let arrived = value.get("arrived").is_some() && flag(value, "arrived")?;
                engine.end_trip(time, text(value, "trip")?, arrived)?;
            }
            "trips" => {
                keys("")?;
                let trips = engine.trips(time)?;
                self.add("trips", &trips);
            }
            "setClock" => {
                keys("monotonic boot")?;
                // It may have gone back.
                let newest = std::mem::replace(&mut self.host.log.lock().unwrap().newest, time);
                let done = engine.set_clock(time, integer(value, "monotonic")?, text(value, "boot")?);
                if done.is_err() {
                    self.host.log.lock().unwrap().newest = newest;
                }
                done?;
            }
            "restart" => {
                keys("clock")?;
                if value.get("clock").is_some() {
                    self.host.log.lock().unwrap().newest = time;
                }
                self.engine.close()?;
                self.engine = Engine::new()?;
                self.start(time, value.get("clock"))?;
            }
            "clear" => match text(value, "clear")? {
                "sentNotifications" => engine.clear_sent_notifications(time)?,
                "sentGeotriggers" => engine.clear_sent_geotriggers(time)?,
                other => return Err(format!("clear: unknown list \"{other}\"").into()),
            },
            "clearAllData" | "advance" | "enable" | "disable" => {
                keys("")?;
                match name {
                    "clearAllData" => engine.clear_all_data(time)?,
                    "advance" => engine.advance(time)?,
                    "enable" => engine.enable(time)?,
                    _ => engine.disable(time)?,
                }
            }
            other => return Err(format!("unknown input \"{other}\"").into()),
        }
        Ok(())
    }

    fn sighting(&self, value: Value, time: i64) -> Done {
        let words = ["unknown", "immediate", "near", "far"];
        let word = optional_text(value, "proximity")?.unwrap_or("unknown");
        let proximity = words.iter().position(|known| *known == word).ok_or(format!("unknown proximity \"{word}\""))?;
        let (rssi, power) = (number(value, "rssi", Some(0.0))?, number(value, "power", Some(0.0))?);
        if value.get("namespaceId").is_some() {
            only(value, "time namespaceId instanceId proximity rssi power")?;
            let (namespace, instance) = (text(value, "namespaceId")?, text(value, "instanceId")?);
            self.engine.update_eddystone(time, namespace, instance, proximity as i32, rssi, power)?;
        } else {
            only(value, "time proximityUUID majorId minorId proximity rssi power")?;
            let (major, minor) = (integer(value, "majorId")? as i32, integer(value, "minorId")? as i32);
            let uuid = text(value, "proximityUUID")?;
            self.engine.update_ibeacon(time, uuid, major, minor, proximity as i32, rssi, power)?;
        }
        Ok(())
    }

    fn set_property(&self, value: Value, time: i64) -> Done {
        only(value, "time key type value")?;
        let key = text(value, "key")?;
        match text(value, "type")? {
            "string" => self.engine.set_string_property(time, key, Some(text(value, "value")?))?,
            "boolean" => self.engine.set_boolean_property(time, key, flag(value, "value")?)?,
            "integer" => self.engine.set_integer_property(time, key, integer(value, "value")?)?,
            "double" => self.engine.set_double_property(time, key, number(value, "value", None)?)?,
            "date" => self.engine.set_date_property(time, key, milliseconds(text(value, "value")?)?)?,
            other => return Err(format!("type: unknown type \"{other}\"").into()),
        }
        Ok(())
    }

    /// Answers a batch that the host was offered earlier.
    fn answer(&self, kind: usize, value: Value, time: i64) -> Done {
        only(value, "time batch keep")?;
        let number = integer(value, "batch")?;
        let token = {
            let log = self.host.log.lock().unwrap();
            let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
            log.tokens[kind].get(index).copied().ok_or(format!("there is no batch {number} yet"))?
        };
        let mut batch = self.engine.batch(token)?;
        let mut kept = List::new()?;
        for entry in array(value, "keep")? {
            only(entry, if kind == FILTER { "identifier message data set" } else { "identifier" })?;
            let identifier = text(entry, "identifier")?;
            let index = batch.iter().position(|item| item.text("identifier") == Some(identifier));
            let item = index.and_then(|index| batch.get_mut(index));
            let item = item.ok_or(format!("keep: \"{identifier}\" is not in the batch"))?;
            edit(item, entry)?;
            kept.append(item)?;
        }
        if kind == FILTER {
            self.engine.answer_filter(time, token, &kept)?;
        } else {
            self.engine.mark_geotriggers_handled(time, token, &kept)?;
        }
        Ok(())
    }

    fn list(&self, name: &str) -> Done<String> {
        let engine = &self.engine;
        let items = match name {
            "sentNotifications" => engine.sent_notifications()?,
            "sentGeotriggers" => engine.sent_geotriggers()?,
            "loadedNotifications" => engine.loaded_notifications(0)?,
            "loadedGeotriggers" => engine.loaded_geotriggers(0)?,
            "displayedNotifications" => engine.displayed_notifications()?,
            "visits" => return Ok(engine.visits()?),
            "summary" => return Ok(engine.summary()?),
            "segmentation" => return Ok(engine.segmentation_properties()?),
            "lists" => return Ok(engine.lists()?),
            other => return Err(format!("list: unknown list \"{other}\"").into()),
        };
        Ok(items.to_json()?)
    }
}
