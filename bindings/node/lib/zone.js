'use strict';
// The time zone of the system, by its IANA name. Intl names one as ICU does, which may be an old alias or none at all; the engine reads the system's zone
// files, so a name is one of theirs.

const fs = require('node:fs');
const path = require('node:path');

/** Where the engine looks for zones. */
const FOLDERS = ['/usr/share/zoneinfo', '/usr/lib/zoneinfo', '/usr/share/lib/zoneinfo', '/etc/zoneinfo'];
const UTC = new Set(['UTC', 'Etc/UTC', 'UCT', 'Etc/UCT', 'Universal', 'Etc/Universal', 'Zulu', 'Etc/Zulu', 'GMT', 'Etc/GMT', 'UTC0', 'GMT0']);

const attempt = (task) => {
  try {
    return task();
  } catch {
    return undefined;
  }
};

/** A name as the engine takes it: without the folders of other kinds of the same zones, and one name for all that is UTC. */
function tidy(name) {
  const plain = name.replace(/^(posix|right)\//, '');
  return UTC.has(plain) ? 'UTC' : plain;
}

/** The part of a path behind ".../zoneinfo/". */
const behind = (file) => /\/zoneinfo\/(.+)$/.exec(file)?.[1];

const isZone = (name) => name !== '' && !name.split('/').includes('..') && FOLDERS.some((folder) => attempt(() => fs.statSync(path.join(folder, name)).isFile()));

/** The name in the links that lead from a file to a zone; the first one, for zones are links to each other. */
function linked(file) {
  let at = file;
  for (let turn = 0; turn < 16; turn++) {
    const target = attempt(() => fs.readlinkSync(at));
    if (target === undefined) return undefined;
    at = path.resolve(path.dirname(at), target);
    if (behind(at) !== undefined) return behind(at);
  }
  return undefined;
}

/** The zone whose file has these bytes: one of `hints`, else the first by its name. */
function sameBytes(bytes, hints) {
  const has = (file) => attempt(() => fs.statSync(file).size === bytes.length && fs.readFileSync(file).equals(bytes)) === true;
  for (const hint of hints) if (FOLDERS.some((folder) => has(path.join(folder, hint)))) return hint;
  for (const folder of FOLDERS) {
    const names = attempt(() => fs.readdirSync(folder, { recursive: true })) ?? [];
    const found = names.filter((name) => /^[A-Z]/.test(name) && has(path.join(folder, name))).sort();
    if (found.length > 0) return found.find((name) => name.includes('/')) ?? found[0];
  }
  return undefined;
}

/** "<+03>-3" and "EST5": without summer time, a zone that is always as far from UTC. */
function fixedOffset(rule) {
  const [, sign, hours, minutes] = /^(?:<[^>]+>|[A-Za-z]{3,})([+-]?)(\d{1,2})(?::(\d\d))?(?::00)?$/.exec(rule) ?? [];
  if (hours === undefined || Number(minutes ?? 0) !== 0 || Number(hours) > 14) return undefined;
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '-' ? '-' : '+'}${Number(hours)}`;
}

const intl = () => attempt(() => Intl.DateTimeFormat().resolvedOptions().timeZone) ?? '';

/** TZ as POSIX and the C library have it: a name, a path, or a rule; with a colon or without. */
function fromEnvironment(value) {
  const text = value.replace(/^:/, '');
  if (text === '') return 'UTC';
  if (path.isAbsolute(text)) return fromFile(text);
  if (isZone(tidy(text))) return tidy(text);
  return fixedOffset(text);
}

function fromFile(file) {
  const name = behind(file) ?? linked(file);
  if (name !== undefined && isZone(tidy(name))) return tidy(name);
  const bytes = attempt(() => fs.readFileSync(file));
  if (bytes === undefined) return undefined;
  const named = attempt(() => fs.readFileSync('/etc/timezone', 'utf8').trim()) ?? '';
  const found = sameBytes(bytes, [named, intl()].filter((hint) => hint !== '' && isZone(hint)));
  return found === undefined ? undefined : tidy(found);
}

/** The zone of this process: {name}, or {reason} where it cannot be named. */
function systemZone(environment = process.env, file = '/etc/localtime') {
  const { TZ } = environment;
  if (TZ !== undefined) {
    const name = fromEnvironment(TZ);
    return name === undefined ? { reason: `TZ is ${JSON.stringify(TZ)}, which is no zone of this system` } : { name };
  }
  if (!fs.existsSync(file)) return { name: 'UTC' }; // as the C library has it
  const name = fromFile(file);
  return name === undefined ? { reason: `${file} is no zone of this system` } : { name };
}

module.exports = { systemZone };
