// A walk through the draft: drawn on the map, or read from a GPX file; what a phone would show is the engine's answer. Where the browser has no WebGL, a
// picture of the regions is in the place of the map. Everything from the answer is put into the page as text.

import { by, send } from '/web/api.mjs';
import { openMap } from '/web/map.mjs';
import { distance } from '/web/shape.mjs';
import { gpxFixes } from '/web/tracks.mjs';

const form = document.getElementById('walk');
const part = (id) => document.getElementById(id);

/** The picture: its points are [longitude, latitude], as the map's. */
function pictureGround(ground) {
  const number = (name) => Number(ground.dataset[name]);
  const svg = (name, attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const onPicture = ([longitude, latitude]) => {
    const east = ((longitude - number('west')) % 360 + 360) % 360;
    return [east * number('across'), (number('north') - latitude) * number('down')];
  };
  ground.toggleAttribute('hidden', false);
  return {
    line(points, steps) {
      part('route').setAttribute('points', points.map((point) => onPicture(point).join(',')).join(' '));
      part('steps').replaceChildren(...steps.map(onPicture).map(([cx, cy]) => svg('circle', { cx, cy, r: 4 })));
    },
    marks(found) {
      part('seen').replaceChildren(...found.map(({ place, text }) => {
        const [cx, cy] = onPicture(place);
        const mark = svg('circle', { cx, cy, r: 7 });
        mark.append(Object.assign(svg('title', {}), { textContent: text }));
        return mark;
      }));
    },
    show() {},
    clicked(body) {
      ground.addEventListener('click', (event) => {
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(ground.getScreenCTM().inverse());
        body([number('west') + x / number('across'), number('north') - y / number('down')]);
      });
    },
  };
}

/** The map; null where the browser cannot draw one. */
async function mapGround(element) {
  const view = openMap(element, { walked: ['text', 0.6] });
  if (!view) return null;
  await view.ready;
  let steps = [];
  let seen = [];
  const marker = (place, className, text) => {
    const element = Object.assign(document.createElement('div'), { className, title: text });
    return new maplibregl.Marker({ element }).setLngLat(place).addTo(view.map);
  };
  return {
    line(points, corners) {
      view.set('walked', points.length > 1
        ? [{ type: 'Feature', properties: { kind: 'area', width: 0 }, geometry: { type: 'LineString', coordinates: points } }] : []);
      for (const one of steps) one.remove();
      steps = corners.map((place) => marker(place, 'step', ''));
    },
    marks(found) {
      for (const one of seen) one.remove();
      seen = found.map(({ place, text }) => marker(place, 'seen', text));
    },
    show: (place) => { if (!view.map.getBounds().contains(place)) view.map.panTo(place); },
    clicked: (body) => view.map.on('click', (event) => body(event.lngLat.wrap().toArray())),
  };
}

const element = part('map');
const ground = (element && await mapGround(element)) ?? (part('ground') && pictureGround(part('ground')));
if (element && part('ground')) element.hidden = !part('ground').hasAttribute('hidden');

/** The corners of the route. */
let corners = [];
/** The fixes of a file, in the place of the route; null for none. */
let fixes = null;
/** What the last walk has shown: campaign and region. */
let before = null;

function draw() {
  ground?.line(fixes ? fixes.map((fix) => [fix.longitude, fix.latitude]) : corners, fixes ? [] : corners);
  part('count').textContent = fixes?.length ?? corners.length;
}

function add(point) {
  fixes = null;
  part('track').value = '';
  corners.push(point);
  draw();
}

ground?.clicked(add);
part('go')?.addEventListener('click', () => {
  const place = part('place').value.split(' ').map(Number);
  add(place);
  ground?.show(place);
});
part('undo').addEventListener('click', () => { corners.pop(); draw(); });
part('clear').addEventListener('click', () => { corners = []; fixes = null; part('track').value = ''; draw(); });

part('track').addEventListener('change', async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  fixes = gpxFixes(await file.text());
  if (fixes.length === 0) {
    fixes = null;
    tell(`${file.name}: <trkpt> <time>?`);
  } else {
    tell('');
    ground?.show([fixes[0].longitude, fixes[0].latitude]);
  }
  draw();
});

function tell(text) {
  part('fault').textContent = text;
  part('fault').hidden = !text;
}

function walk() {
  return fixes ? { fixes } : {
    route: {
      points: corners.map(([longitude, latitude]) => [latitude, longitude]), start: new Date(`${part('start').value}Z`).toISOString(),
      speed: Number(part('speed').value),
    },
  };
}

async function ask() {
  const properties = JSON.parse(part('properties').value.trim() || '{}');
  return (await send('POST', '/api/v2/preview', by(form), { ...walk(), properties })).json();
}

/** Where the person was at a time. */
function placeAt(time) {
  if (fixes) {
    const last = fixes.findLast((fix) => Date.parse(fix.time) <= time) ?? fixes[0];
    return [last.longitude, last.latitude];
  }
  let left = (time - Date.parse(`${part('start').value}Z`)) / 1000 * Number(part('speed').value);
  for (let index = 1; index < corners.length; index += 1) {
    const [from, to] = [corners[index - 1], corners[index]];
    const length = distance(from, to);
    if (left <= length) return [0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * (length ? left / length : 0));
    left -= length;
  }
  return corners.at(-1);
}

const item = (...texts) => {
  const made = document.createElement('li');
  texts.forEach((text, index) => {
    const inner = document.createElement(index === 1 ? 'strong' : 'span');
    inner.textContent = text;
    made.append(inner, ' ');
  });
  return made;
};

function show(outcome) {
  const list = part('shown');
  list.replaceChildren(...outcome.shown.map((one) => item(one.time.slice(11, 19), one.notification.message ?? '', `${one.campaign} · ${one.region}`)));
  if (outcome.shown.length === 0) list.replaceChildren(item(list.dataset.none));
  ground?.marks(outcome.shown.map((one) => ({ place: placeAt(Date.parse(one.time)), text: one.notification.message ?? one.campaign })));
  const names = outcome.shown.map((one) => `${one.campaign} · ${one.region}`);
  const reached = new Set(outcome.shown.map((one) => one.campaign));
  part('reasons').replaceChildren(...outcome.explanations.filter((one) => !reached.has(one.campaign))
    .map((one) => item('', one.campaign, one.region ?? '', one.sentence)));
  const difference = part('difference');
  if (before) {
    const more = names.filter((name) => !before.includes(name));
    const fewer = before.filter((name) => !names.includes(name));
    difference.textContent = [
      more.length ? `${difference.dataset.more} ${more.join(', ')}.` : '', fewer.length ? `${difference.dataset.fewer} ${fewer.join(', ')}.` : '',
    ].join(' ').trim() || difference.dataset.same;
  }
  before = names;
  part('result').hidden = false;
  part('outcome').focus();
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  tell('');
  form.setAttribute('aria-busy', 'true');
  try {
    show(await ask());
  } catch (error) {
    tell(error.message);
  } finally {
    form.removeAttribute('aria-busy');
  }
});
