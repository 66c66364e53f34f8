// A walk through the draft: drawn on the picture of the regions, or read from a GPX file; what a phone would show is the engine's answer.
// Everything from the answer is put into the page as text.

const form = document.getElementById('walk');
const ground = document.getElementById('ground');
const part = (id) => document.getElementById(id);
const number = (name) => Number(form.dataset[name]);
const svg = (name, attributes) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** The corners of the route, in units of the picture. */
let corners = [];
/** The fixes of a file, in the place of the route; null for none. */
let fixes = null;
/** What the last walk has shown: campaign and region. */
let before = null;

const coordinate = ([x, y]) => [number('north') - y / number('down'), number('west') + x / number('across')];
const onPicture = (latitude, longitude) => {
  let east = longitude - number('west');
  if (east > 360) east -= 360;
  if (east < 0) east += 360;
  return [east * number('across'), (number('north') - latitude) * number('down')];
};

function draw() {
  const line = fixes ? fixes.map((fix) => onPicture(fix.latitude, fix.longitude)) : corners;
  part('route').setAttribute('points', line.map((point) => point.join(',')).join(' '));
  part('steps').replaceChildren(...(fixes ? [] : corners.map(([cx, cy]) => svg('circle', { cx, cy, r: 4 }))));
}

function add(point) {
  fixes = null;
  part('track').value = '';
  corners.push(point);
  draw();
}

ground.addEventListener('click', (event) => {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(ground.getScreenCTM().inverse());
  add([place.x, place.y]);
});
part('go').addEventListener('click', () => add(part('place').value.split(' ').map(Number)));
part('undo').addEventListener('click', () => { corners.pop(); draw(); });
part('clear').addEventListener('click', () => { corners = []; fixes = null; part('track').value = ''; draw(); });

part('track').addEventListener('change', async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  const document = new DOMParser().parseFromString(await file.text(), 'application/xml');
  const points = [...document.getElementsByTagNameNS('*', 'trkpt')];
  fixes = points.map((point) => ({
    time: point.getElementsByTagNameNS('*', 'time')[0]?.textContent.trim(),
    latitude: Number(point.getAttribute('lat')), longitude: Number(point.getAttribute('lon')),
  })).filter((fix) => fix.time);
  if (fixes.length === 0) {
    fixes = null;
    tell(`${file.name}: <trkpt> <time>?`);
  } else {
    tell('');
  }
  draw();
});

function tell(text) {
  part('fault').textContent = text;
  part('fault').hidden = !text;
}

async function ask() {
  const walk = fixes ? { fixes } : {
    route: { points: corners.map(coordinate), start: new Date(`${part('start').value}Z`).toISOString(), speed: Number(part('speed').value) },
  };
  const properties = JSON.parse(part('properties').value.trim() || '{}');
  const answer = await fetch('/api/v2/preview', {
    method: 'POST', body: JSON.stringify({ ...walk, properties }),
    headers: { 'Content-Type': 'application/json', 'Plot-App': form.dataset.app, 'Plot-Form-Token': form.elements.formToken.value },
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  return body;
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
  part('seen').replaceChildren(...outcome.shown.flatMap((one) => {
    const place = [...ground.querySelectorAll('circle[data-id]')].find((circle) => circle.dataset.id === one.region);
    if (!place) return [];
    const mark = svg('circle', { cx: place.getAttribute('cx'), cy: place.getAttribute('cy'), r: 7 });
    mark.append(Object.assign(svg('title', {}), { textContent: one.notification.message ?? one.campaign }));
    return [mark];
  }));
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
