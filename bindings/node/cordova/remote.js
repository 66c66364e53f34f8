'use strict';
// The remote notification filter and the remote geotrigger handler: one POST of JSON, twenty seconds, no retry.

const TIMEOUT = 20_000;

const common = (item) => ({
  data: item.data,
  latitude: item.geofenceLatitude,
  longitude: item.geofenceLongitude,
  trigger: item.trigger,
  matchIdentifier: item.matchIdentifier,
  matchRange: item.matchRange,
  regionType: item.regionType,
});

const notification = (item) => ({ identifier: item.identifier, message: item.message, ...common(item) });
const geotrigger = (item) => ({ identifier: item.identifier, name: item.name, ...common(item) });

/** Posts, and gives the body of an answer of 2xx. Throws on anything else, and when the time is over. */
async function post(url, body, timeout = TIMEOUT) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error(`no answer within ${timeout} ms`)), timeout);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
      signal: abort.signal,
    });
    const text = await response.text(); // within the time limit too
    if (!response.ok) throw new Error(`status ${response.status}`);
    return text;
  } finally {
    clearTimeout(timer);
  }
}

/** Checks the shape of a filter's answer: {"notifications": [{identifier, message?, data?}]}. */
function readAnswer(text) {
  const answer = JSON.parse(text);
  if (!Array.isArray(answer?.notifications)) throw new Error('the answer has no list "notifications"');
  for (const entry of answer.notifications) {
    if (typeof entry?.identifier !== 'string') throw new Error('an entry of "notifications" has no identifier');
    for (const key of ['message', 'data']) {
      if (entry[key] !== undefined && typeof entry[key] !== 'string') throw new Error(`"${key}" of an entry of "notifications" is not a string`);
    }
  }
  return answer.notifications;
}

/** Asks the server which notifications to show. Any failure shows none of them. */
async function filter(url, items, timeout, log) {
  try {
    return readAnswer(await post(url, { notifications: items.map(notification) }, timeout));
  } catch (error) {
    log(`Remote notification filter failed: ${reason(error)}`);
    return [];
  }
}

/** Tells the server of geotriggers, which are handled already. Its answer does not matter. */
async function handle(url, items, timeout, log) {
  try {
    await post(url, { geotriggers: items.map(geotrigger) }, timeout);
  } catch (error) {
    log(`Remote geotrigger handler failed: ${reason(error)}`);
  }
}

const reason = (error) => error?.cause?.message ?? error?.message ?? String(error);

module.exports = { filter, handle };
