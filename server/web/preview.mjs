// A notification about as the lock screens of two systems show it, while it is written. The engine itself fills in the texts: it gets the campaign
// without its conditions, and a region with the name and the fields of the first one, and walks into it.

import { by, send } from '/web/api.mjs';

const form = document.querySelector('form[data-preview]');
const part = (id) => document.getElementById(id);
const field = (key) => part(`field-${key}`);
const value = (key) => field(key)?.value.trim() ?? '';

const element = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text ?? '' });

/** The first region of the campaign, as far as texts are made of it. */
const regions = new Map();
async function region(id) {
  if (!id) return { id: 'region', type: 'geofence', latitude: 0, longitude: 0, radius: 100 };
  if (!regions.has(id)) {
    const answer = await fetch(`/api/v2/regions/${encodeURIComponent(id)}`, { headers: { 'Plot-App': form.dataset.app } });
    const { name, customFields } = answer.ok ? await answer.json() : {};
    regions.set(id, { ...(name && { name }), ...(customFields && { customFields }) });
  }
  return { id, type: 'geofence', latitude: 0, longitude: 0, radius: 100, ...regions.get(id) };
}

/** Something for each property of the person that a text asks for. */
function person(texts) {
  const keys = [...JSON.stringify(texts).matchAll(/\{\{ *user\.([^|,}]+?) *[|,}]/g)].map((match) => match[1]);
  return Object.fromEntries(keys.map((key) => [key, key]));
}

/** The languages that the messages have; none where they are no object. */
function languages() {
  try {
    return Object.keys(JSON.parse(value('messages') || '{}'));
  } catch {
    return [];
  }
}

/** As a device has it that wants a language; null for one that wants none of them. */
async function notification(language) {
  const place = await region(value('regions').split('\n')[0].trim());
  const campaign = { id: 'preview', type: 'notification', message: value('message') || ' ', regions: [place.id] };
  if (value('messages')) {
    campaign.messages = JSON.parse(value('messages'));
    if (!value('message')) delete campaign.message;
  }
  if (value('content')) campaign.content = JSON.parse(value('content'));
  // Its category may be one of the draft; its buttons are looked up below.
  const { category } = campaign.content ?? {};
  const route = { points: [[0.01, 0], [0, 0], [0, 0]], start: '2026-05-16T10:00:00Z', speed: 10, interval: 5, accuracy: 5 };
  const answer = await send('POST', '/api/v2/preview', by(form),
    { route, end: '2026-05-16T11:00:00Z', properties: { ...person(campaign), ...(language && { languages: language }) }, feed: { version: 1, regions: [place], campaigns: [campaign] } });
  const shown = (await answer.json()).shown[0]?.notification;
  if (!shown) return null;
  let actions = campaign.content?.actions ?? [];
  if (category && !actions.length) {
    const found = await fetch(`/api/v2/categories/${encodeURIComponent(category)}`, { headers: { 'Plot-App': form.dataset.app } });
    if (found.ok) actions = (await found.json()).actions ?? [];
  }
  return { message: shown.message, ...shown.content, actions };
}

function screen(system, { title, subtitle, message, body, attachments = [], actions = [] }) {
  const made = element('div', `phone ${system.toLowerCase()}`);
  made.append(element('p', 'clock', '10:00'));
  const note = element('div', 'note');
  note.append(element('p', 'from', system === 'iOS' ? `${form.dataset.name}` : `${form.dataset.name} · ${form.dataset.now}`));
  if (title) note.append(element('p', 'title', title));
  if (subtitle) note.append(element('p', 'subtitle', subtitle));
  note.append(element('p', 'text', message));
  if (body) note.append(element('p', 'more', body));
  for (const one of attachments) note.append(element('p', 'attachment', one.url ?? one.id ?? ''));
  if (actions.length) {
    const buttons = element('p', 'buttons');
    buttons.append(...actions.map((action) => element('span', action.destructive ? 'bad' : '', action.title)));
    note.append(buttons);
  }
  made.append(note);
  const figure = document.createElement('figure');
  figure.append(made, element('figcaption', '', system));
  return figure;
}

let waiting;
let turn = 0;
async function show() {
  const mine = ++turn;
  try {
    const isShown = value('type') !== 'geotrigger';
    const found = isShown ? await notification(null) : null;
    const others = isShown ? await Promise.all(languages().map(async (language) => [language, await notification(language)])) : [];
    if (mine !== turn) return;
    const screens = found ? ['Android', 'iOS'].map((system) => screen(system, found)) : [];
    for (const [language, one] of others) {
      if (!one) continue;
      const made = screen('Android', one);
      made.lang = language;
      made.querySelector('figcaption').textContent = language;
      screens.push(made);
    }
    part('phones').replaceChildren(...screens);
    part('previewFault').textContent = '';
  } catch (error) {
    if (mine === turn) part('previewFault').textContent = error.message;
  }
  part('preview').hidden = value('type') === 'geotrigger';
}

form.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(show, 400);
});
await show();
