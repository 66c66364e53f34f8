//! The synchronization with a campaign service (`docs/sync.md`): the library makes requests and takes answers, the app
//! carries them.

use crate::documents::Feed;
use crate::error::{address, check, made, optional, text, Error};
use crate::{sys, taken, Engine, Milliseconds};
use std::ptr;

impl Engine {
    /// Starts it, goes on after a stop, or gives other facts, a JSON object. `feed` counts until there is one of the
    /// service. `seed`, 16 random bytes or more, is the one source of chance.
    pub fn sync_begin(
        &self,
        time: Milliseconds,
        facts: Option<&str>,
        feed: Option<&Feed>,
        seed: &[u8],
    ) -> Result<(), Error> {
        let json = optional("facts", facts)?;
        let feed = feed.map_or(ptr::null(), |feed| feed.as_ptr());
        let (length, chance) = (facts.map_or(0, str::len), seed.as_ptr().cast());
        check(|error| unsafe {
            sys::plot_engine_sync_begin(self.as_ptr(), time, address(&json), length, feed, chance, seed.len(), error)
        })
    }

    /// The next request, or until when there is none, as a JSON object.
    pub fn sync_next(&self, time: Milliseconds) -> Result<String, Error> {
        made(|out, error| unsafe { sys::plot_engine_sync_next(self.as_ptr(), time, out, error) }).map(taken)
    }

    /// The answer to a request. `headers`: lines of `Name: value`. `body`: decoded, and whole, or its beginning where it
    /// is too long.
    pub fn sync_response(
        &self,
        time: Milliseconds,
        request: i64,
        status: i32,
        headers: &str,
        body: &[u8],
    ) -> Result<(), Error> {
        let headers = text("headers", headers)?;
        let (lines, bytes) = (headers.as_ptr(), body.as_ptr().cast());
        check(|error| unsafe {
            sys::plot_engine_sync_response(self.as_ptr(), time, request, status, lines, bytes, body.len(), error)
        })
    }

    /// There is no answer to a request, or a stream is over; `reason` is for people.
    pub fn sync_failure(&self, time: Milliseconds, request: i64, reason: &str) -> Result<(), Error> {
        let reason = text("reason", reason)?;
        check(|error| unsafe { sys::plot_engine_sync_failure(self.as_ptr(), time, request, reason.as_ptr(), error) })
    }

    /// Bytes of a stream, as they come.
    pub fn sync_receive(&self, time: Milliseconds, request: i64, bytes: &[u8]) -> Result<(), Error> {
        let (start, length) = (bytes.as_ptr().cast(), bytes.len());
        check(|error| unsafe { sys::plot_engine_sync_receive(self.as_ptr(), time, request, start, length, error) })
    }

    /// Sends a recording of this engine to the service, whole or as far as it has come: the person has agreed.
    pub fn sync_recording(&self, time: Milliseconds, lines: &str) -> Result<(), Error> {
        let (start, length) = (lines.as_ptr().cast(), lines.len());
        check(|error| unsafe { sys::plot_engine_sync_recording(self.as_ptr(), time, start, length, error) })
    }

    /// A push message of the service, as JSON.
    pub fn sync_message(&self, time: Milliseconds, json: &str) -> Result<(), Error> {
        let (start, length) = (json.as_ptr().cast(), json.len());
        check(|error| unsafe { sys::plot_engine_sync_message(self.as_ptr(), time, start, length, error) })
    }
}
