// The editor of regions on the map: circles, areas with holes, corridors. What is saved goes through the API, with the version that it was drawn from.

import { send } from '/web/api.mjs';
import { openMap } from '/web/map.mjs';
import { handlesOf, isRemovable, keysOf, leastCorners, move, remove as removeCorner, shapeFrom, shapeOf } from '/web/shape.mjs';

const part = (id) => document.getElementById(id);
const element = part('map');
const { app, token, mayEdit } = element.dataset;
const view = openMap(element, { drawing: ['warn', 0.35], line: ['text', 0.6] });

/** The region that is edited; null for none. Rings are open: the first corner is not told again. */
let shape = null;
/** Forms of it, the newest last, and those that were undone. */
let past = [];
let future = [];
/** What was saved: the id, and the object before it or null. */
const saved = [];
/** What is being drawn: its kind, and its corners. */
let drawing = null;
let handles = [];

const copy = (value) => structuredClone(value);
const word = (key) => element.dataset[key];

function tell(text, isFault = false) {
  part('said').textContent = isFault ? '' : text;
  part('fault').textContent = isFault ? text : '';
  part('fault').hidden = !isFault || !text;
}

// MARK: The object and its shape

/** What is edited: the shape, and what else the panel beside the map has. */
const editedFrom = (region, version) => ({ id: region.id, name: region.name ?? '', version, moving: region.moving ?? false, ...shapeOf(region) });

/** What is edited, of a region that is not saved yet. */
const drawnFrom = (kind, made) => ({ id: '', name: '', moving: false, ...shapeFrom(kind, made) });

const featureKeys = ({ name, moving, ...one }) => ({ ...(name && { name }), ...keysOf(one), ...(one.kind === 'circle' && moving && { moving }) });

function featureOf(one) {
  if (one.kind === 'circle') {
    return { type: 'Feature', properties: { kind: 'circle', radius: one.radius }, geometry: { type: 'Point', coordinates: one.center } };
  }
  const { geometry, width } = keysOf(one);
  return { type: 'Feature', properties: { kind: 'area', width }, geometry };
}

// MARK: Changes, and back

function change(body) {
  past.push(copy(shape));
  future = [];
  body(shape);
  show();
}

function undo() {
  if (drawing) {
    drawing.corners.pop();
    if (drawing.corners.length === 0 && !drawing.hole) return stop();
  } else if (past.length) {
    future.push(copy(shape));
    shape = past.pop();
  } else if (saved.length) {
    return takeBack();
  }
  show();
}

function redo() {
  if (!future.length) return;
  past.push(copy(shape));
  shape = future.pop();
  show();
}

function edit(one) {
  [shape, past, future, drawing] = [one, [], [], null];
  show();
}

/** Ends the drawing of a hole, or what is edited. */
function stop() {
  if (!drawing?.hole) return edit(null);
  drawing = null;
  show();
}

// MARK: What is seen

/** A corner that can be moved with the pointer, or with the keys of a keyboard. */
function handle(place, label, className, { moved, removed, clicked }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = className;
  const marker = new maplibregl.Marker({ element: button, draggable: Boolean(moved) }).setLngLat(place).addTo(view.map);
  // MapLibre has a label of its own for each.
  button.setAttribute('aria-label', label);
  marker.on('dragend', () => moved(marker.getLngLat().toArray()));
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    clicked?.();
  });
  button.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4] }[event.key];
    if (step && moved) {
      const point = view.map.project(marker.getLngLat());
      moved(view.map.unproject([point.x + step[0], point.y + step[1]]).toArray());
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && removed) {
      removed();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    // The corner is another button now.
    handles.find((one) => one.label === label)?.marker.getElement().focus();
  });
  handles.push({ marker, label });
}

const handleLimit = 400;

const label = ({ kind, number, hole }) => {
  if (kind === 'center' || kind === 'radius') return word(kind);
  const corner = `${hole ? `${word('hole')} ${hole}, ` : ''}${word('corner')} ${number}`;
  return kind === 'between' ? `${word('between')} ${corner}` : corner;
};

function showHandles() {
  for (const { marker } of handles) marker.remove();
  handles = [];
  part('many').hidden = true;
  if (drawing) {
    drawing.corners.forEach((place, index) => handle(place, `${word('corner')} ${index + 1}`, 'handle', {}));
  } else if (shape && mayEdit) {
    const bounds = view.map.getBounds();
    const all = handlesOf(shape).filter((one) => bounds.contains(one.place));
    part('many').hidden = all.length <= handleLimit;
    for (const one of all.length <= handleLimit ? all : []) {
      handle(one.place, label(one), one.kind === 'between' ? 'handle middle' : 'handle', {
        moved: (to) => change((edited) => move(edited, one, to)),
        removed: () => isRemovable(shape, one) && change((edited) => removeCorner(edited, one)),
        clicked: one.kind === 'between' ? () => change((edited) => move(edited, one, one.place)) : undefined,
      });
    }
  }
}

function show() {
  view.hide(shape?.version === undefined ? null : shape.id);
  view.set('drawing', shape ? [featureOf(shape)] : []);
  view.set('line', drawing ? [{ type: 'Feature', properties: { kind: 'area', width: 0 },
    geometry: { type: 'LineString', coordinates: drawing.hole || drawing.kind === 'area' ? [...drawing.corners, ...drawing.corners.slice(0, 1)] : drawing.corners } }] : []);
  showHandles();
  const isDrawing = Boolean(drawing);
  part('panel').hidden = !shape;
  part('drawing').hidden = !isDrawing;
  element.classList.toggle('drawing', isDrawing);
  if (part('undo')) part('undo').disabled = !(drawing?.corners.length || past.length || saved.length);
  if (part('redo')) part('redo').disabled = !future.length;
  if (!shape) return;
  for (const [id, kind] of [['radiusField', 'circle'], ['movingField', 'circle'], ['widthField', 'corridor'], ['hole', 'area']]) {
    if (part(id)) part(id).hidden = shape.kind !== kind;
    // A hidden number is not checked by the form.
    for (const field of part(id)?.querySelectorAll('input') ?? []) field.disabled = shape.kind !== kind;
  }
  part('regionId').value = shape.id;
  part('regionId').readOnly = shape.version !== undefined;
  part('regionName').value = shape.name;
  part('radius').value = Math.round(shape.radius ?? 0);
  part('width').value = shape.width ?? 0;
  part('moving').checked = shape.moving;
  part('all').hidden = shape.version === undefined;
  part('all').href = `/dashboard/${app}/regions/edit?id=${encodeURIComponent(shape.id)}`;
  if (part('remove')) part('remove').hidden = shape.version === undefined;
}

// MARK: Drawing

function begin(kind, hole = false) {
  if (!hole) edit(null);
  drawing = { kind, hole, corners: [] };
  tell(word(kind === 'circle' ? 'sayCircle' : 'sayCorners'));
  show();
}

function add(place) {
  if (!drawing) return;
  if (drawing.kind === 'circle') {
    edit(drawnFrom('circle', [place]));
    past = [null];
    tell(word('sayNew'));
    part('regionId').focus({ preventScroll: true });
    return;
  }
  drawing.corners.push(place);
  show();
}

function finish() {
  if (!drawing) return;
  const { kind, hole, corners: made } = drawing;
  if (made.length < leastCorners(kind)) {
    tell(word('sayMore'), true);
    return;
  }
  if (hole) {
    drawing = null;
    change((one) => one.polygons[0].push(made));
    return;
  }
  edit(drawnFrom(kind, made));
  past = [null];
  tell(word('sayNew'));
  part('regionId').focus({ preventScroll: true });
}

// MARK: The API

async function call(method, id, body, headers = {}) {
  try {
    const answer = await send(method, `/api/v2/regions/${encodeURIComponent(id)}`, { app, token }, body, { headers });
    return { found: answer.status === 204 ? null : await answer.json(), version: answer.headers.get('ETag') };
  } catch (error) {
    if (error.status === 412 || error.status === 409) error.message = `${word('changed')} ${error.message}`;
    throw error;
  }
}

/** Runs something that may fail; the reason is told beside the map. */
async function attempt(body) {
  element.setAttribute('aria-busy', 'true');
  try {
    await body();
    await view.load();
  } catch (error) {
    tell(error.message, true);
  } finally {
    element.removeAttribute('aria-busy');
  }
}

async function open(id) {
  const { found, version } = await call('GET', id);
  edit(editedFrom(found, version));
  tell(found.name ?? id);
}

const save = () => attempt(async () => {
  if (drawing) finish();
  if (drawing) return;
  const { id, version } = shape;
  const keys = featureKeys(shape);
  let before = null;
  let answer;
  if (version === undefined) {
    if (!id) throw new Error(word('needsId'));
    answer = await call('PUT', id, { id, type: 'geofence', ...keys }, { 'If-None-Match': '*' });
  } else {
    ({ found: before } = await call('GET', id));
    answer = await call('PATCH', id, shape.kind === 'circle' ? { moving: null, ...keys, name: keys.name ?? null } : { ...keys, name: keys.name ?? null }, { 'If-Match': version });
  }
  saved.push({ id, before });
  edit(editedFrom(answer.found, answer.version));
  tell(word('savedNotice'));
});

const remove = () => attempt(async () => {
  const { id, version } = shape;
  const { found: before } = await call('GET', id);
  await call('DELETE', id, undefined, { 'If-Match': version });
  saved.push({ id, before });
  stop();
  tell(word('removedNotice'));
});

/** Makes the last thing that was saved as it was before. */
const takeBack = () => attempt(async () => {
  const { id, before } = saved.pop();
  if (before) await call('PUT', id, before); else await call('DELETE', id);
  stop();
  tell(`${word('takenBack')} ${id}`);
});

// MARK: What a person does

const on = (id, event, body) => part(id)?.addEventListener(event, body);

if (!view) {
  part('noMap').hidden = false;
  part('tools').hidden = true;
  element.hidden = true;
} else {
  await view.ready;
  on('circle', 'click', () => begin('circle'));
  on('area', 'click', () => begin('area'));
  on('corridor', 'click', () => begin('corridor'));
  on('hole', 'click', () => begin('area', true));
  on('undo', 'click', undo);
  on('redo', 'click', redo);
  on('here', 'click', () => add(view.map.getCenter().toArray()));
  on('done', 'click', finish);
  on('stop', 'click', stop);
  on('close', 'click', stop);
  on('save', 'submit', (event) => { event.preventDefault(); save(); });
  on('remove', 'click', remove);
  for (const [id, key] of [['regionId', 'id'], ['regionName', 'name']]) on(id, 'input', () => { shape[key] = part(id).value; });
  for (const key of ['radius', 'width']) {
    on(key, 'change', () => change((one) => { one[key] = Number(part(key).value); }));
  }
  on('moving', 'change', () => change((one) => { one.moving = part('moving').checked; }));
  view.map.on('click', (event) => {
    if (drawing) {
      add(event.lngLat.toArray());
    } else if (!past.length) {
      const [id] = view.at(event.point);
      if (id) attempt(() => open(id)); else stop();
    }
  });
  view.map.on('dblclick', (event) => {
    if (!drawing) return;
    event.preventDefault();
    finish();
  });
  view.map.on('moveend', showHandles);
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') stop();
    else if (event.key === 'Enter' && event.target === view.map.getCanvas()) { if (drawing) add(view.map.getCenter().toArray()); }
    else if ((event.ctrlKey || event.metaKey) && event.key === 'z') undo();
    else if ((event.ctrlKey || event.metaKey) && event.key === 'y') redo();
    else return;
    event.preventDefault();
  });
  on('find', 'submit', async (event) => {
    event.preventDefault();
    const answer = await fetch(`/dashboard/${app}/map/find?${new URLSearchParams({ q: part('q').value })}`);
    const found = answer.ok ? await answer.json() : [];
    part('found').replaceChildren(...found.map((one) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = one.name === one.id ? one.id : `${one.name} · ${one.id}`;
      button.addEventListener('click', () => {
        view.fit(one.box);
        attempt(() => open(one.id));
      });
      return button;
    }));
    if (!found.length) part('found').textContent = word('nothingFound');
  });
  show();
  if (element.dataset.focus) attempt(() => open(element.dataset.focus));
}
