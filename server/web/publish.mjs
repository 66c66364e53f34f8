// The page of publishing: the changes on a map, and the draft on recorded walks against what is live. The answers are the API's; all of it is text.

import { by, send } from '/web/api.mjs';
import { walks } from '/web/tracks.mjs';

const part = (id) => document.getElementById(id);

async function showChanges(element) {
  const { openMap } = await import('/web/map.mjs');
  const view = openMap(element, { removed: ['bad', 0.35], changed: ['warn', 0.35], added: ['good', 0.35] });
  if (!view) {
    element.hidden = true;
    return;
  }
  await view.ready;
  const answer = await fetch(`/dashboard/${element.dataset.app}/map/changes`);
  if (!answer.ok) return;
  const { features } = await answer.json();
  const bounds = new maplibregl.LngLatBounds();
  const extend = (value) => (typeof value[0] === 'number' ? bounds.extend(value.slice(0, 2)) : value.forEach(extend));
  for (const source of ['removed', 'changed', 'added']) {
    const some = features.filter((feature) => feature.properties.change === source);
    view.set(source, some);
    for (const feature of some) extend(feature.geometry.coordinates);
  }
  if (!bounds.isEmpty()) view.map.fitBounds(bounds, { padding: 60, maxZoom: 16, animate: false });
  element.dataset.changes = features.length;
}

/** One line of JSON after the other, as they come. */
async function* lines(body) {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const found = (rest + piece).split('\n');
    rest = found.pop();
    yield* found.filter(Boolean).map((line) => JSON.parse(line));
  }
}

function table(caption, rows, key) {
  const made = part('differenceTable').content.cloneNode(true).firstElementChild;
  made.createCaption().textContent = caption;
  for (const row of rows) {
    const line = made.tBodies[0].insertRow();
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = row[key];
    line.append(head);
    for (const text of [row.before, row.after, row.witness ? `${row.witness.person}, ${row.witness.time.slice(0, 16).replace('T', ' ')}` : '']) {
      line.insertCell().textContent = text;
    }
  }
  return made;
}

function tell(text) {
  part('fault').textContent = text;
  part('fault').hidden = !text;
}

function show(report) {
  part('verdict').textContent = report.sentence;
  const captions = part('captions').dataset;
  part('differences').replaceChildren(...[['campaigns', 'campaign'], ['regions', 'region'], ['people', 'person']]
    .filter(([list]) => report[list].length).map(([list, key]) => table(captions[list], report[list], key)));
}

async function test(form, signal) {
  const found = (await Promise.all([...part('walks').files].map(walks))).flat();
  const policy = part('policy').value;
  const answer = await send('POST', '/api/v2/backtest', by(form),
    { walks: found, after: policy ? { config: { engine: { noise: policy } } } : {} }, { signal });
  for await (const line of lines(answer.body)) {
    if (line.error) throw new Error(line.error);
    if (line.report) show(line.report);
    else [part('progress').max, part('progress').value] = [line.walks, line.done];
  }
}

const form = part('backtest');
form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  tell('');
  part('verdict').textContent = '';
  part('differences').replaceChildren();
  const control = new AbortController();
  part('cancel').onclick = () => control.abort();
  part('cancel').hidden = part('progress').hidden = false;
  try {
    await test(form, control.signal);
  } catch (error) {
    if (!control.signal.aborted) tell(error.message);
  } finally {
    part('cancel').hidden = part('progress').hidden = true;
  }
});

if (part('map')) await showChanges(part('map'));
