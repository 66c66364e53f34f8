#if os(Linux)
  extension StudioPage {
    static let script = #"""
      'use strict';
      const byId = id => document.getElementById(id);
      const feed = byId('feed'), token = location.hash.slice(1);
      let track = null, trackName = '', feedName = 'feed.json', kept = null, now = null, linted = 0;
      // The part of the map that a person looked at last.
      let seen = null;
      // The address keeps no secret in its history.
      history.replaceState(null, '', location.pathname);

      async function ask(path, body) {
        const answer = await fetch(path, {
          method: body === undefined ? 'GET' : 'POST', headers: {'Plot-Token': token, 'Content-Type': 'application/json'},
          body: body === undefined ? undefined : JSON.stringify(body)
        });
        const value = await answer.json();
        if (!answer.ok) throw new Error(value.text);
        return value;
      }
      const say = (text, kind = 'quiet') => { byId('state').textContent = text; byId('state').className = kind; };
      const element = (name, text, kind) => {
        const made = document.createElement(name);
        if (text !== undefined) made.textContent = text;
        if (kind) made.className = kind;
        return made;
      };

      // ---- The text of the feed, and where its values stand in it. ----

      // The members of objects and the elements of arrays, each with where it begins and ends; null for a text that is no JSON.
      function outline(text) {
        let at = 0;
        const blank = () => { while (/\s/.test(text[at] ?? '')) at++; };
        function string() {
          const from = at++;
          while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
          at++;
          return text.slice(from, at);
        }
        function value() {
          blank();
          const node = {from: at, to: at};
          if (text[at] === '{' || text[at] === '[') {
            const isObject = text[at++] === '{';
            node.children = [];
            blank();
            while (text[at] !== (isObject ? '}' : ']')) {
              if (at >= text.length) throw new Error('the end');
              const start = at;
              let key = node.children.length;
              if (isObject) {
                key = JSON.parse(string());
                blank();
                if (text[at++] !== ':') throw new Error('a colon');
              }
              const child = value();
              node.children.push({...child, key, start});
              blank();
              if (text[at] === ',') at++;
              blank();
            }
            at++;
          } else if (text[at] === '"') node.value = JSON.parse(string());
          else {
            const word = /^[^\s,\]}]+/.exec(text.slice(at, at + 400))?.[0] ?? '';
            node.value = JSON.parse(word);
            at += word.length;
          }
          node.to = at;
          return node;
        }
        try { return value(); } catch { return null; }
      }
      const child = (node, key) => node?.children?.find(one => one.key === key);
      const object = (list, id) => child(outline(feed.value), list)?.children?.find(one => child(one, 'id')?.value === id);

      // Changes of the text, as the keys for undoing know them; the last one first, so that places stay right.
      function apply(edits) {
        let any = false;
        for (const {from, to, words} of edits.sort((a, b) => b.from - a.from)) {
          if (feed.value.slice(from, to) === words) continue;
          feed.focus({preventScroll: true});
          feed.setSelectionRange(from, to);
          if (!document.execCommand(words ? 'insertText' : 'delete', false, words)) feed.setRangeText(words, from, to, 'end');
          any = true;
        }
        if (any) changed();
      }
      // The white space before a member or an element, as the one before it has it.
      const before = at => /\s*$/.exec(feed.value.slice(0, at))[0];
      const gapOf = node => { const last = node.children.at(-1), text = before(last.start); return node.children.length > 1 || text ? text : ' '; };
      function removal(node, from, to) {
        const next = node.children[to], last = node.children[from - 1];
        return next ? {from: node.children[from].start, to: next.start, words: ''}
          : {from: last ? last.to : node.children[from].start, to: node.children[to - 1].to, words: ''};
      }
      // The changes by which a text says another value; all that is the same stays as it was written.
      function merged(node, value) {
        const own = JSON.parse(feed.value.slice(node.from, node.to)), same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        if (same(own, value)) return [];
        const whole = [{from: node.from, to: node.to, words: JSON.stringify(value)}];
        if (Array.isArray(own) !== Array.isArray(value) || !node.children?.length || typeof value !== 'object' || value === null) return whole;
        if (!Array.isArray(own)) {
          if (!same(Object.keys(own), Object.keys(value))) return whole;
          return node.children.flatMap(one => merged(one, value[one.key]));
        }
        if (own.every(one => typeof one === 'number')) return whole;
        let head = 0, tail = 0;
        while (head < Math.min(own.length, value.length) && same(own[head], value[head])) head++;
        while (tail < Math.min(own.length, value.length) - head && same(own.at(-1 - tail), value.at(-1 - tail))) tail++;
        if (own.length === value.length) return node.children.slice(head, own.length - tail).flatMap((one, i) => merged(one, value[head + i]));
        const [oldEnd, newEnd] = [own.length - tail, value.length - tail];
        if (newEnd === head) return [removal(node, head, oldEnd)];
        if (oldEnd > head || own.length === 0) return whole;
        const gap = gapOf(node), words = value.slice(head, newEnd).map(one => JSON.stringify(one));
        return [head > 0 ? {from: node.children[head - 1].to, to: node.children[head - 1].to, words: words.map(one => `,${gap}${one}`).join('')}
          : {from: node.children[0].start, to: node.children[0].start, words: words.map(one => `${one},${gap}`).join('')}];
      }

      // Another value in one place; all else stays as it was written. Undefined takes it away.
      function setValue(list, id, key, value) {
        const node = object(list, id), old = child(node, key);
        if (!node || (value === undefined && !old)) return;
        if (value === undefined) { const i = node.children.indexOf(old); apply([removal(node, i, i + 1)]); }
        else if (old) apply(merged(old, value));
        // As the member before it stands: on a line of its own, or behind it.
        else apply([{from: node.children.at(-1).to, to: node.children.at(-1).to, words: `,${gapOf(node)}${JSON.stringify(key)}: ${JSON.stringify(value)}`}]);
      }

      // One more object at the end of a list, written as those before it: on one line, or on several.
      function append(list, made) {
        const node = child(outline(feed.value), list);
        if (!node?.children) return say(`The feed has no list of ${list}.`, 'warning');
        const last = node.children.at(-1), gap = last ? gapOf(node) : '\n    ', indent = /[^\n]*$/.exec(gap)[0];
        const isTall = last && feed.value.slice(last.from, last.to).includes('\n');
        const text = isTall ? JSON.stringify(made, null, 2).replaceAll('\n', `\n${indent}`)
          : `{${Object.entries(made).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(', ')}}`;
        apply([last ? {from: last.to, to: last.to, words: `,${gap}${text}`} : {from: node.from, to: node.to, words: `[${gap}${text}\n  ]`}]);
        lists();
      }
      const freeId = (list, kind) => { for (let n = 1; ; n++) if (!object(list, `${kind}-${n}`)) return `${kind}-${n}`; };

      // ---- Lint, as one types. ----

      let wait = 0;
      function changed() {
        clearTimeout(wait);
        wait = setTimeout(() => { lint(); lists(); }, 250);
      }
      feed.addEventListener('input', changed);
      async function lint() {
        const turn = ++linted, box = byId('findings');
        if (!feed.value.trim()) return box.replaceChildren();
        try {
          const report = await ask('/lint', {text: feed.value});
          if (turn !== linted) return;
          const rows = report.map(one => {
            const row = element('button', `${one.line ? `${one.line}:${one.column} ` : ''}${one.sentence} ${one.remedy ?? ''}`, one.severity);
            row.type = 'button';
            row.addEventListener('click', () => goTo(one.line, one.column));
            return row;
          });
          box.replaceChildren(...(rows.length ? rows : [element('span', 'lint has found nothing', 'quiet')]));
        } catch (error) { box.replaceChildren(element('span', error.message, 'error')); }
      }
      function goTo(line, column) {
        if (!line) return;
        const lines = feed.value.split('\n'), start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
        feed.focus();
        feed.setSelectionRange(start + Math.max(0, (column ?? 1) - 1), start + lines[line - 1].length);
        feed.scrollTop = (line - 4) * 17.4;
      }

      // ---- Campaigns and regions ----

      function lists() {
        const root = outline(feed.value);
        for (const [id, list] of [['campaign', 'campaigns'], ['region', 'regions']]) {
          const select = byId(id), chosen = select.value;
          const ids = (child(root, list)?.children ?? []).map(one => child(one, 'id')?.value).filter(Boolean);
          select.replaceChildren(...ids.map(one => element('option', one)));
          if (ids.includes(chosen)) select.value = chosen;
        }
        fillForm();
      }
      // The words of a value in a field, and back. A list is its words with blanks between them.
      const isList = field => field.classList.contains('list');
      const inField = value => Array.isArray(value) ? value.join(' ') : String(value ?? '');
      const valueOf = node => node && JSON.parse(feed.value.slice(node.from, node.to));
      function fromField(field, old) {
        const text = field.value.trim();
        if (text === '') return undefined;
        if (isList(field)) return text.split(/\s+/);
        if (typeof old === 'boolean') return text === 'true';
        const isNumber = typeof old === 'number' || field.inputMode === 'decimal' || field.inputMode === 'numeric';
        return isNumber && Number.isFinite(Number(text)) ? Number(text) : field.value;
      }
      function fillForm() {
        const node = object('campaigns', byId('campaign').value);
        for (const field of byId('form').elements) {
          if (field === document.activeElement) continue;
          field.value = inField(valueOf(child(node, field.name)) ?? (field.name === 'trigger' ? 'enter' : ''));
        }
        fillRegion();
      }
      // The keys that a kind of region has fields for; whatever else it has that is one value has one, too.
      const regionKeys = {
        circle: [['name'], ['radius', 'decimal']], area: [['name']], corridor: [['name'], ['width', 'decimal']],
        beacon: [['name'], ['proximityUUID'], ['majorId', 'numeric'], ['minorId', 'numeric'], ['range']], group: [['name'], ['regions', 'list'], ['enter'], ['hold']]
      };
      function fillRegion() {
        const node = object('regions', byId('region').value), form = byId('regionForm');
        if (!node || form.contains(document.activeElement)) { if (!node) form.replaceChildren(); return; }
        const region = valueOf(node), type = region.type === 'geofence' ? shapes.shapeOf(region)?.kind : region.type, keys = new Map(regionKeys[type] ?? [['name']]);
        for (const [key, value] of Object.entries(region)) {
          if (['id', 'type'].includes(key) || keys.has(key) || typeof value === 'object') continue;
          keys.set(key, typeof value === 'number' ? 'decimal' : undefined);
        }
        form.replaceChildren(...[...keys].map(([key, kind]) => {
          const label = element('label', `${key} `), field = element('input');
          field.name = key;
          field.spellcheck = false;
          if (kind === 'list') field.className = 'list'; else if (kind) field.inputMode = kind;
          field.value = inField(region[key]);
          label.append(field);
          return label;
        }));
      }
      for (const [id, list, chosen] of [['form', 'campaigns', 'campaign'], ['regionForm', 'regions', 'region']]) byId(id).addEventListener('change', event => {
        const {name} = event.target, one = byId(chosen).value, old = valueOf(child(object(list, one), name));
        setValue(list, one, name, fromField(event.target, old));
        if (list === 'campaigns' && name === 'trigger') {
          const isDwelling = event.target.value === 'dwelling', minutes = child(object(list, one), 'dwellingMinutes');
          if (!isDwelling) setValue(list, one, 'dwellingMinutes', undefined);
          if (isDwelling && !minutes) setValue(list, one, 'dwellingMinutes', 5);
        }
        editRegion();
        run();
      });
      byId('regionForm').addEventListener('submit', event => event.preventDefault());
      byId('form').addEventListener('submit', event => event.preventDefault());
      byId('campaign').addEventListener('change', () => { fillForm(); why({campaign: byId('campaign').value}); });
      byId('region').addEventListener('change', () => { fillRegion(); editRegion(); why({region: byId('region').value}); });

      // ---- Regions on the map ----

      // The shape of the chosen region, the handle that is dragged with the shape before, and the corners that are drawn.
      let edited = null, grip = null, drawing = null;
      const words = {center: 'centre', radius: 'edge', corner: 'corner', between: 'between corners, after'};
      const label = ({kind, number, hole}) => `${hole ? `hole ${hole}, ` : ''}${words[kind]}${number ? ` ${number}` : ''}`;
      function editRegion() {
        const node = object('regions', byId('region').value);
        try { edited = node && shapes.shapeOf(valueOf(node)); } catch { edited = null; }
        tellMaps();
      }
      function tellMaps() {
        const isOn = byId('move').checked || drawing !== null;
        const shape = drawing ? (shapes.shapeFrom(drawing.kind, drawing.corners) ?? (drawing.corners.length ? {kind: 'corridor', corners: drawing.corners, width: 0} : null)) : edited;
        const handles = drawing || !shape ? [] : shapes.handlesOf(shape).map(one => ({kind: one.kind, place: one.place, label: label(one)}));
        for (const frame of document.querySelectorAll('iframe')) {
          const on = isOn && frame.dataset.slot === 'now';
          frame.contentWindow.postMessage({plot: 'edit', on, region: drawing ? '' : byId('region').value, shape, handles, drawing: drawing?.kind ?? null, seen: frame.dataset.isNew ? seen : null}, '*');
          delete frame.dataset.isNew;
        }
      }
      byId('move').addEventListener('change', editRegion);
      // Writes the shape into the text, where all that is the same stays as it was.
      function writeShape() {
        for (const [key, value] of Object.entries(shapes.keysOf(edited))) {
          if (key !== 'radius' || value !== 200 || child(object('regions', byId('region').value), 'radius')) setValue('regions', byId('region').value, key, value);
        }
        fillRegion();
        tellMaps();
        run();
      }
      const isPlace = place => Array.isArray(place) && place.length === 2 && place.every(Number.isFinite);
      function fromMap(told) {
        if (['place', 'handle'].includes(told.plot) && !isPlace(told.place)) return;
        if (told.plot === 'place' && drawing) {
          drawing.corners.push(told.place);
          if (drawing.kind === 'circle') finish(); else tellMaps();
        } else if (told.plot === 'handle' && edited) {
          grip ??= {base: edited, handle: shapes.handlesOf(edited)[told.index]};
          if (!grip.handle) { grip = null; return; }
          edited = structuredClone(grip.base);
          shapes.move(edited, grip.handle, told.place);
          if (told.done) { grip = null; writeShape(); } else tellMaps();
        } else if (told.plot === 'remove' && edited) {
          const handle = shapes.handlesOf(edited)[told.index];
          if (!handle || !shapes.isRemovable(edited, handle)) return say('It needs its corners.', 'warning');
          edited = structuredClone(edited);
          shapes.remove(edited, handle);
          writeShape();
        }
      }
      function choose(list, made) {
        append(list === 'region' ? 'regions' : 'campaigns', made);
        byId(list).value = made.id;
        fillForm();
        editRegion();
        run();
      }
      function finish() {
        const shape = shapes.shapeFrom(drawing.kind, drawing.corners);
        if (!shape) return say(`It needs ${shapes.leastCorners(drawing.kind)} corners.`, 'warning');
        const kind = drawing.kind;
        stopDrawing();
        byId('move').checked = true;
        choose('region', {id: freeId('regions', kind), type: 'geofence', ...shapes.keysOf(shape)});
      }
      function stopDrawing() {
        drawing = null;
        byId('drawing').hidden = true;
        say('');
        tellMaps();
      }
      byId('done').addEventListener('click', () => drawing && finish());
      byId('cancel').addEventListener('click', stopDrawing);
      byId('newRegion').addEventListener('change', event => {
        const kind = event.target.value;
        event.target.value = '';
        if (kind === 'beacon') return choose('region', {id: freeId('regions', kind), type: kind, proximityUUID: crypto.randomUUID(), majorId: 1});
        if (kind === 'group') return choose('region', {id: freeId('regions', kind), type: kind, regions: [byId('region').value]});
        if (!now) return say('Run first: a shape is drawn on the map of a run.', 'warning');
        drawing = {kind, corners: []};
        byId('drawing').hidden = false;
        byId('done').hidden = kind === 'circle';
        byId('drawingWords').textContent = kind === 'circle' ? 'Click on the map, where its centre is.' : 'Click on the map for each corner.';
        tellMaps();
      });
      byId('newCampaign').addEventListener('click', () => {
        const region = byId('region').value;
        choose('campaign', {id: freeId('campaigns', 'campaign'), type: 'notification', message: 'Welcome', regions: region ? [region] : []});
      });

      // ---- Runs ----

      let turn = 0;
      async function run() {
        if (!track || !feed.value.trim()) return say('A feed and a track are needed.', 'warning');
        const mine = ++turn;
        say('running…');
        const question = {
          slot: 'now', feed: feed.value, track, trackName, start: byId('start').value, pace: byId('pace').value, timeZone: byId('timeZone').value,
          properties: byId('properties').value.split(/\s+/).filter(Boolean)
        };
        try {
          const result = await ask('/run', question);
          if (mine !== turn) return;
          say('');
          if (result.error) { byId('summary').textContent = result.error; byId('summary').className = 'error'; return; }
          now = {question, result};
          byId('summary').textContent = result.summary;
          byId('summary').className = '';
          draw();
          difference();
        } catch (error) { say(error.message, 'error'); }
      }
      byId('run').addEventListener('click', run);
      byId('keep').addEventListener('click', async () => {
        if (!now) return say('Run first.', 'warning');
        kept = now;
        await ask('/run', {...now.question, slot: 'before'});
        draw();
        difference();
      });

      function draw() {
        const maps = byId('maps');
        const frames = [kept && ['before', kept], now && ['now', now]].filter(Boolean).map(([slot, {result}]) => {
          const figure = element('figure'), frame = element('iframe');
          // The page of a map runs, and reaches nothing of this one but by messages.
          frame.sandbox = 'allow-scripts';
          frame.srcdoc = result.map;
          frame.title = `Map, ${slot}`;
          frame.dataset.slot = slot;
          frame.addEventListener('load', () => { frame.dataset.isNew = 1; tellMaps(); });
          if (kept) figure.append(element('figcaption', `${slot}: ${result.summary}`, 'quiet'));
          figure.append(frame);
          return figure;
        });
        maps.replaceChildren(...frames);
      }
      addEventListener('message', event => {
        const frame = [...document.querySelectorAll('iframe')].find(one => one.contentWindow === event.source), told = event.data;
        if (!frame || typeof told !== 'object' || told === null) return;
        if (told.plot === 'chosen') {
          for (const [id, value] of [['campaign', told.campaign], ['region', told.region]]) if (value) byId(id).value = value;
          fillForm();
          if (told.region) editRegion();
          why(told.campaign ? {campaign: told.campaign} : told.region ? {region: told.region} : {at: told.minute}, frame.dataset.slot);
        } else if (told.plot === 'seen' && frame.dataset.slot === 'now') seen = {centre: told.centre, k: told.k};
        else if (frame.dataset.slot === 'now') fromMap(told);
      });

      // ---- Why, and what differs ----

      async function why(question, slot = 'now') {
        if (!now) return;
        try {
          byId('why').textContent = (await ask('/explain', {slot, ...question})).text;
        } catch (error) { byId('why').textContent = error.message; }
      }
      // A time of the run in the zone of its map.
      function local(run, time) {
        const start = +/"start":(\d+)/.exec(run.result.map)[1], offsets = JSON.parse(/"offsets":(\[.*?\]\])/.exec(run.result.map)[1]);
        const moment = Date.parse(time), offset = offsets.findLast(([from]) => start + from <= moment) ?? offsets[0];
        return new Date(moment + offset[1]).toISOString().slice(0, 19).replace('T', ' ');
      }
      const happened = run => run.result.events.map(line => JSON.parse(line)).filter(one => ['notification-shown', 'geotrigger'].includes(one.event))
        .map(one => `${local(run, one.time)}  ${one.campaign} at ${one.region}: ${one.message ?? ''}`);
      function difference() {
        const box = byId('difference');
        if (!kept || !now) return box.replaceChildren(element('span', '“Compare from here” keeps a run to compare later ones with.', 'quiet'));
        const [old, fresh] = [happened(kept), happened(now)];
        const rows = [...old.filter(one => !fresh.includes(one)).map(one => ['gone', `- ${one}`]), ...fresh.filter(one => !old.includes(one)).map(one => ['added', `+ ${one}`])]
          .sort((a, b) => a[1].slice(2) < b[1].slice(2) ? -1 : 1);
        box.replaceChildren(...(rows.length ? rows.map(([kind, text]) => element('div', text, kind)) : [element('span', 'No difference.', 'quiet')]));
      }

      // ---- Files ----

      const base64 = bytes => { let text = ''; for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768)); return btoa(text); };
      async function take(file, kind) {
        if (kind === 'feed') {
          feed.value = await file.text();
          feedName = file.name;
          lint();
          lists();
        } else {
          track = base64(new Uint8Array(await file.arrayBuffer()));
          trackName = file.name;
          byId('trackName').textContent = file.name;
        }
        if (track && feed.value) run();
      }
      byId('feedFile').addEventListener('change', event => event.target.files[0] && take(event.target.files[0], 'feed'));
      byId('trackFile').addEventListener('change', event => event.target.files[0] && take(event.target.files[0], 'track'));
      addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('drop'); });
      addEventListener('dragleave', () => document.body.classList.remove('drop'));
      addEventListener('drop', async event => {
        event.preventDefault();
        document.body.classList.remove('drop');
        // A feed is JSON with campaigns; everything else is a track.
        for (const file of event.dataTransfer.files) {
          const isFeed = /\.json$/i.test(file.name) && /"campaigns"\s*:/.test(await file.text());
          await take(file, isFeed ? 'feed' : 'track');
        }
      });
      byId('save').addEventListener('click', async () => {
        try { say(`saved ${(await ask('/save', {text: feed.value})).text}`); } catch (error) {
          // Without a file of its own it is downloaded.
          const link = element('a');
          link.href = URL.createObjectURL(new Blob([feed.value], {type: 'application/json'}));
          link.download = feedName;
          link.click();
          say(error.message, 'warning');
        }
      });
      addEventListener('keydown', event => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') { event.preventDefault(); run(); }
        if ((event.ctrlKey || event.metaKey) && event.key === 's') { event.preventDefault(); byId('save').click(); }
      });

      (async () => {
        try {
          const files = await ask('/files');
          if (files.feed) { feed.value = files.feed; feedName = files.feedName; }
          if (files.track) { track = files.track; trackName = files.trackName; byId('trackName').textContent = trackName; }
          lists();
          lint();
          difference();
          if (track && feed.value) run();
        } catch (error) { say(error.message, 'error'); }
      })();

      """#
  }
#endif
