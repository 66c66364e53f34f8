#if os(Linux)
  extension StudioPage {
    static let script = #"""
      'use strict';
      const byId = id => document.getElementById(id);
      const feed = byId('feed'), token = location.hash.slice(1);
      let track = null, trackName = '', feedName = 'feed.json', before = null, now = null, linted = 0;
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

      // Another value in one place; all else stays as it was written. Undefined takes it away.
      function setValue(list, id, key, value) {
        const node = object(list, id), old = child(node, key), text = feed.value;
        if (!node) return;
        let from, to, words;
        if (value === undefined) {
          if (!old) return;
          const i = node.children.indexOf(old), next = node.children[i + 1], last = node.children[i - 1];
          [from, to, words] = next ? [old.start, next.start, ''] : [last ? last.to : old.start, old.to, ''];
        } else if (old) [from, to, words] = [old.from, old.to, JSON.stringify(value)];
        else {
          // As the member before it stands: on a line of its own, or behind it.
          const last = node.children.at(-1), space = /\s*$/.exec(text.slice(node.from + 1, last.start))[0];
          const gap = node.children.length > 1 ? /\s*$/.exec(text.slice(node.children.at(-2).to + 1, last.start))[0] : space || ' ';
          [from, to, words] = [last.to, last.to, `,${gap}${JSON.stringify(key)}: ${JSON.stringify(value)}`];
        }
        if (text.slice(from, to) === words) return;
        // An edit that the keys for undoing know.
        feed.focus({preventScroll: true});
        feed.setSelectionRange(from, to);
        if (!document.execCommand(words ? 'insertText' : 'delete', false, words)) feed.setRangeText(words, from, to, 'end');
        changed();
      }

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
      function fillForm() {
        const node = object('campaigns', byId('campaign').value);
        for (const field of byId('form').elements) {
          if (field === document.activeElement) continue;
          field.value = child(node, field.name)?.value ?? (field.name === 'trigger' ? 'enter' : '');
        }
      }
      byId('form').addEventListener('change', event => {
        const {name, value} = event.target, id = byId('campaign').value, isNumber = name === 'dwellingMinutes' || name === 'cooldownPeriod';
        setValue('campaigns', id, name, value === '' ? undefined : isNumber && /^\d+$/.test(value) ? Number(value) : value);
        if (name === 'trigger' && value !== 'dwelling') setValue('campaigns', id, 'dwellingMinutes', undefined);
        if (name === 'trigger' && value === 'dwelling' && !child(object('campaigns', id), 'dwellingMinutes')) setValue('campaigns', id, 'dwellingMinutes', 5);
        run();
      });
      byId('form').addEventListener('submit', event => event.preventDefault());
      byId('campaign').addEventListener('change', () => { fillForm(); why({campaign: byId('campaign').value}); });
      byId('region').addEventListener('change', () => why({region: byId('region').value}));

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
        before = now;
        await ask('/run', {...now.question, slot: 'before'});
        draw();
        difference();
      });

      function draw() {
        const maps = byId('maps');
        const frames = [before && ['before', before], now && ['now', now]].filter(Boolean).map(([slot, {result}]) => {
          const figure = element('figure'), frame = element('iframe');
          // The page of a map runs, and reaches nothing of this one but by messages.
          frame.sandbox = 'allow-scripts';
          frame.srcdoc = result.map;
          frame.title = `Map, ${slot}`;
          frame.dataset.slot = slot;
          frame.addEventListener('load', tellMaps);
          if (before) figure.append(element('figcaption', `${slot}: ${result.summary}`, 'quiet'));
          figure.append(frame);
          return figure;
        });
        maps.replaceChildren(...frames);
      }
      const tellMaps = () => { for (const frame of document.querySelectorAll('iframe')) frame.contentWindow.postMessage({plot: 'edit', on: byId('move').checked && frame.dataset.slot === 'now'}, '*'); };
      byId('move').addEventListener('change', tellMaps);
      addEventListener('message', event => {
        const frame = [...document.querySelectorAll('iframe')].find(one => one.contentWindow === event.source), told = event.data;
        if (!frame || typeof told !== 'object' || told === null) return;
        if (told.plot === 'chosen') {
          for (const [id, value] of [['campaign', told.campaign], ['region', told.region]]) if (value) byId(id).value = value;
          fillForm();
          why(told.campaign ? {campaign: told.campaign} : told.region ? {region: told.region} : {at: told.minute}, frame.dataset.slot);
        } else if (told.plot === 'moved' && typeof told.region === 'string') {
          for (const key of ['latitude', 'longitude', 'radius']) if (Number.isFinite(told[key])) setValue('regions', told.region, key, told[key]);
          byId('region').value = told.region;
          run();
        }
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
        if (!before || !now) return box.replaceChildren(element('span', '“Compare from here” keeps a run to compare later ones with.', 'quiet'));
        const [old, fresh] = [happened(before), happened(now)];
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
