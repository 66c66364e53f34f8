extension MapPage {
  /// The parts that depend on the time: the way so far, where the device is, the state of each region, which pins have come.
  static let timeScript = #"""

    const count = data.marks.length, span = data.end - data.start;
    const slider = byId('slider'), nowBox = byId('now'), past = byId('past'), here = byId('here');
    const labelOf = place => data.places[place][1];
    // `t` and all times of the data are milliseconds after `start`.
    let t = span, playing = false, fresh = -1;
    const states = ['outside', 'pending', 'inside', 'leaving', 'dwelling'];
    const iso = time => new Date(data.start + time).toISOString().replace('.000Z', 'Z');
    // In the zone of the page: an offset holds from its time on.
    const zoneOffset = time => data.offsets[Math.max(1, upTo(data.offsets.length, i => data.offsets[i][0], time)) - 1][1];
    const localIso = time => iso(time + zoneOffset(time));
    const days = localIso(0).slice(0, 10) !== localIso(span).slice(0, 10), years = localIso(0).slice(0, 4) !== localIso(span).slice(0, 4);
    const hours = time => localIso(time).slice(11, 19);
    const full = time => `${localIso(time).slice(0, 10)} ${hours(time)} ${data.zone}`;
    const clock = time => days ? `${localIso(time).slice(years ? 0 : 5, 10)} ${hours(time)}` : hours(time);

    // The number of entries of an ascending list that are at most `value`; `of` is the value of an entry.
    function upTo(length, of, value) {
      let low = 0, high = length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (of(middle) <= value) low = middle + 1; else high = middle;
      }
      return low;
    }

    // The slider leaves out what nobody recorded: a long time without a fix, a mark or a decision is a short piece of it. `knots` has a
    // [time, place on the slider] where that begins and where it ends.
    const moments = [...pieces.flatMap(piece => piece.times), ...data.marks.map(mark => mark[0]), ...data.decisions.map(one => one[0])]
      .sort((a, b) => a - b);
    const longest = Math.max(600000, span / 50), breaks = [];
    for (let i = 1; i < moments.length; i++) if (moments[i] - moments[i - 1] > longest) breaks.push([moments[i - 1], moments[i]]);
    const short = Math.max(20000, breaks.reduce((left, [from, to]) => left - to + from, span) / 50), knots = [[0, 0]];
    for (const [from, to] of breaks) {
      const [time, place] = knots.at(-1);
      knots.push([from, place + from - time], [to, place + from - time + short]);
    }
    knots.push([span, knots.at(-1)[1] + span - knots.at(-1)[0]]);
    const reach = knots.at(-1)[1];
    // Along the knots, from one of the two to the other.
    const along = (value, from, to) => {
      const n = Math.min(knots.length - 1, Math.max(1, upTo(knots.length, i => knots[i][from], value))), a = knots[n - 1], b = knots[n];
      return a[to] + (b[to] - a[to]) * (value - a[from]) / Math.max(1, b[from] - a[from]);
    };
    const toPlace = time => along(time, 0, 1), toTime = place => along(place, 1, 0);
    const ticks = (id, times) => byId(id).setAttribute('d', times.map(time => `M${(toPlace(time) / Math.max(1, reach) * 1000).toFixed(1)} 0v6`).join(''));
    for (const kind of ['notification', 'geotrigger']) ticks(`${kind}s`, data.marks.filter(mark => mark[1] === kind).map(mark => mark[0]));
    ticks('breaks', breaks.map(([from, to]) => (from + to) / 2));

    // By place: what changed there, and when. An entry is [time, state, since].
    const changes = new Map(data.changes.map(([place, ...flat]) => {
      const steps = [];
      for (let i = 0; i < flat.length; i += 3) steps.push(flat.slice(i, i + 3));
      return [place, steps];
    }));
    const shapeOf = new Map(data.regions.map((region, i) => [region[3], i]));
    function stateAt(place) {
      const steps = changes.get(place);
      const n = steps ? upTo(steps.length, i => steps[i][0], t) : 0;
      return n ? steps[n - 1] : null;
    }
    function phrase([, state, since]) {
      const from = since === null ? '' : ` since ${clock(since)}`;
      return ['Outside', 'Perhaps entered, not sure yet', `Inside${from}`, `Inside${from}, perhaps left`, `Dwelling, inside${from}`][state];
    }
    // Where a region is; those that move, at the time.
    function middle(i) {
      const [x, y, , , , moves] = data.regions[i];
      const n = moves.length ? upTo(moves.length / 3, j => moves[3 * j], t) : 0;
      return n ? [moves[3 * n - 2], moves[3 * n - 1]] : [x, y];
    }

    // Where the device is: between two moments of the track at an even pace; in a gap where it was last.
    function hereAt() {
      const n = upTo(pieces.length, i => pieces[i].times[0], t);
      if (n === 0) return pieces.length ? pieces[0].points[0] : null;
      const {points, times} = pieces[n - 1], i = upTo(times.length, j => times[j], t);
      if (i === times.length) return points[i - 1];
      const part = (t - times[i - 1]) / Math.max(1, times[i] - times[i - 1]), [ax, ay] = points[i - 1], [bx, by] = points[i];
      return [ax + (bx - ax) * part, ay + (by - ay) * part];
    }
    function drawHere() {
      const at = hereAt();
      here.setAttribute('visibility', at ? 'visible' : 'hidden');
      if (at) here.setAttribute('transform', `translate(${sx(at[0]).toFixed(1)} ${sy(at[1]).toFixed(1)})`);
    }

    // The newest fix, with its error as a circle, and a cross for each so far that did not count.
    const errorCircle = byId('error'), crosses = byId('crosses');
    function newestFix() {
      const n = upTo(data.fixes.length, i => data.fixes[i][0], t);
      return n && t - data.fixes[n - 1][0] <= 120000 ? data.fixes[n - 1] : null;
    }
    function drawFixes() {
      const fix = newestFix();
      errorCircle.setAttribute('visibility', fix && fix[3] > 0 ? 'visible' : 'hidden');
      if (fix) for (const [name, value] of [['cx', fix[1]], ['cy', fix[2]], ['r', fix[3]]]) errorCircle.setAttribute(name, value);
      const arm = 4 / view.k, n = upTo(data.fixes.length, i => data.fixes[i][0], t);
      crosses.setAttribute('d', data.fixes.slice(0, n).filter(fix => fix[4] >= 0)
        .map(([, x, y]) => `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x - arm} ${y + arm}L${x + arm} ${y - arm}`).join(''));
    }
    // Why it did not count, in words: what is said of the device is not said again of each region.
    function objections(fix) {
      const told = new Map();
      for (let i = fix[4]; i >= 0 && i < data.decisions.length && data.decisions[i][0] === fix[0]; i++) {
        const [, , place, step, verdict, reason, , , sentence] = data.decisions[i];
        if (data.strings[step] !== 'presence' || verdict === 0 || !data.objections.includes(data.strings[reason])) continue;
        const words = data.strings[sentence] || data.strings[reason];
        if (!told.has(reason)) told.set(reason, place ? `${labelOf(place)}: ${words}` : words);
      }
      return [...told.values()];
    }

    function drawTime() {
      const root = document.documentElement;
      root.dataset.time = iso(t);
      root.dataset.view = list.view;
      root.classList.toggle('whole', t >= span);
      slider.max = reach;
      slider.value = toPlace(t);
      slider.setAttribute('aria-valuetext', `${clock(t)} ${data.zone}`);
      byId('clock').textContent = clock(t);
      if (past) {
        let d = '';
        for (const {points, times} of pieces) {
          const n = upTo(times.length, i => times[i], t);
          if (n === 0) break;
          d += 'M' + points.slice(0, n).map(([x, y]) => `${x} ${y}`).join('L');
          if (n < times.length) d += `L${hereAt().map(v => v.toFixed(1)).join(' ')}`;
        }
        past.setAttribute('d', d);
      }
      drawHere();
      drawFixes();
      const inside = [];
      for (const [place, steps] of changes) {
        const step = stateAt(place), i = shapeOf.get(place), shape = circles[i];
        if (step && step[1] > 0) inside.push([place, step]);
        if (!shape) continue;
        shape.dataset.state = states[step ? step[1] : 0];
        const n = upTo(steps.length, j => steps[j][0], t);
        shape.classList.toggle('seen', steps.slice(0, n).some(s => s[1] >= 2));
      }
      data.regions.forEach((region, i) => {
        if (!region[5].length || !circles[i]) return;
        const [x, y] = middle(i), shape = circles[i];
        if (shape.tagName !== 'circle' || +shape.getAttribute('cx') === x && +shape.getAttribute('cy') === y) return;
        shape.setAttribute('cx', x);
        shape.setAttribute('cy', y);
        stale |= 8;
      });
      showNow(inside);
      let stop = -1, last = -1;
      for (const [i, glyph] of glyphs) {
        const [time, , , , place, , campaign, number] = data.marks[i];
        const off = time > t || !fits(campaign, place) || (number ? false : list.view === 'happened');
        if (off !== glyph.classList.contains('off')) { glyph.classList.toggle('off', off); stale |= 8; }
        if (off || !number) continue;
        if (stop < 0 || glyph.getAttribute('tabindex') === '0') stop = i;
        if (time >= (last < 0 ? -1 : data.marks[last][0])) last = i;
      }
      if (stop >= 0) rove(stop);
      // The words of the newest pin stay for a while.
      const recent = last >= 0 && t < span && t - data.marks[last][0] < Math.max(20000, span / 60) ? last : -1;
      if (recent !== fresh) { fresh = recent; stale |= 8; }
      if (hotRegion >= 0) placeTip();
    }

    // Where the device is now, in words: also for regions without a place.
    function showNow(inside) {
      inside.sort((a, b) => b[1][0] - a[1][0] || a[0] - b[0]);
      const limit = size.w < 500 ? 2 : 4;
      const lines = inside.slice(0, limit).map(([place, step]) => {
        const line = document.createElement('p'), name = document.createElement('b');
        line.className = states[step[1]];
        const words = labelOf(place);
        name.textContent = words.length > 60 ? words.slice(0, 59) + '…' : words;
        name.dir = 'auto';
        line.append(name, ' ', phrase(step));
        return line;
      });
      if (inside.length > limit) {
        const line = document.createElement('p');
        line.textContent = `and ${inside.length - limit} more`;
        lines.push(line);
      }
      const fix = newestFix();
      if (fix && fix[4] >= 0) {
        for (const words of objections(fix).slice(0, 2)) {
          const line = document.createElement('p');
          line.className = 'objection';
          line.dir = 'auto';
          line.textContent = `The fix of ${clock(fix[0])}${fix[3] > 0 ? `, ± ${Math.round(fix[3])} m,` : ''} did not count. ${words}`;
          lines.push(line);
        }
      }
      const before = nowBox.childElementCount;
      nowBox.setAttribute('aria-live', playing ? 'off' : 'polite');
      nowBox.replaceChildren(...lines);
      nowBox.hidden = lines.length === 0;
      if (before !== lines.length) stale |= 8;
    }

    // `row`: the one that is meant, of several at that time.
    function setTime(to, row = -1) {
      t = Math.min(span, Math.max(0, Math.round(to)));
      if (row < 0 && chosen >= 0) { mark('on', -1); showDetail(); }
      current = row < 0 ? nearest() : row;
      reveal(current);
      ask(row < 0 ? 6 : 7);
    }

    // A run takes about 40 s, whatever its length; what nobody recorded is soon over.
    let beat = 0;
    function play(on) {
      if (on === playing) return;
      playing = on;
      document.documentElement.classList.toggle('playing', on);
      byId('play').setAttribute('aria-label', on ? 'Pause' : 'Play');
      cancelAnimationFrame(beat);
      if (!on) { ask(2); return writeFragment(); }
      if (t >= span) setTime(0);
      let last = performance.now(), at = toPlace(t);
      const tick = stamp => {
        // Whoever moved the slider meanwhile, it goes on from there.
        if (Math.abs(toTime(at) - t) > 1) at = toPlace(t);
        at += (stamp - last) * Math.max(1, reach / 40000);
        last = stamp;
        setTime(toTime(at));
        if (t >= span) return play(false);
        beat = requestAnimationFrame(tick);
      };
      beat = requestAnimationFrame(tick);
    }

    const round = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400];
    const step = 1000 * (round.find(s => s * 1000 >= reach / 400) ?? 86400);
    slider.addEventListener('input', () => setTime(toTime(+slider.value)));
    slider.addEventListener('change', () => writeFragment());
    slider.addEventListener('keydown', event => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const by = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10}[event.key];
      const to = event.key === 'Home' ? 0 : event.key === 'End' ? span : by ? toTime(toPlace(t) + by * step * (event.shiftKey ? 10 : 1)) : null;
      if (to === null) return;
      event.preventDefault();
      setTime(to);
      writeFragment();
    });
    byId('play').addEventListener('click', () => play(!playing));
    byId('before').addEventListener('click', () => leap(-1));
    byId('after').addEventListener('click', () => leap(1));

    // To the next notification or geotrigger, or the one before.
    function leap(by) {
      const ids = list.happened.filter(i => data.marks[i][7] && fits(data.marks[i][6], data.marks[i][4]));
      const at = ids.indexOf(chosen), n = at >= 0 ? at + by
        : by > 0 ? upTo(ids.length, i => timeOf(ids[i]), t) : upTo(ids.length, i => timeOf(ids[i]), t - 1) - 1;
      if (ids[n] !== undefined) { choose(ids[n], 'list'); writeFragment(); }
    }

    // The address says the time and the filters: `#t=2026-05-16T11:20:00Z&view=decisions&campaign=offer&region=coffee`. A time may
    // also be seconds after the start.
    function readFragment() {
      const values = {};
      for (const part of location.hash.slice(1).split('&')) {
        const [key, ...rest] = part.split('=');
        try { values[key] = decodeURIComponent(rest.join('=')); } catch { /* It says nothing. */ }
      }
      if (list[values.view]) list.view = values.view;
      const campaign = data.strings.indexOf(values.campaign ?? ''), region = data.places.findIndex(p => p[0] === (values.region ?? ''));
      list.campaign = Math.max(0, campaign);
      list.region = Math.max(0, region);
      const seconds = values.t === undefined || values.t === '' ? NaN : Number(values.t);
      const time = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(values.t ?? '') - data.start;
      applyFilters(Number.isFinite(time) ? time : t);
    }
    function writeFragment() {
      const parts = [`t=${iso(t)}`];
      if (list.view !== 'happened') parts.push(`view=${list.view}`);
      if (list.campaign) parts.push(`campaign=${encodeURIComponent(data.strings[list.campaign])}`);
      if (list.region) parts.push(`region=${encodeURIComponent(data.places[list.region][0])}`);
      try { history.replaceState(null, '', `#${parts.join('&')}`); } catch { /* Some pages may not. */ }
    }

    """#

  /// The list beside the map: only the rows in sight are there.
  static let listScript = #"""

    const scroll = byId('scroll'), phone = matchMedia('(max-width: 799px)');
    const timeOf = i => i < count ? data.marks[i][0] : data.decisions[i - count][0];
    const campaignOf = i => i < count ? data.marks[i][6] : data.decisions[i - count][1];
    const placeOf = i => i < count ? data.marks[i][4] : data.decisions[i - count][2];
    const inOrder = ids => ids.sort((a, b) => timeOf(a) - timeOf(b) || a - b);
    const list = {
      view: 'happened', campaign: 0, region: 0, ids: [],
      happened: inOrder(data.marks.map((_, i) => i)), decisions: inOrder(data.decisions.map((_, i) => i + count))
    };
    list.dropped = list.decisions.filter(i => data.decisions[i - count][4] === 3);
    const fits = (campaign, place) => (!list.campaign || campaign === list.campaign) && (!list.region || place === list.region);
    let current = -1, ready = false;
    const height = 48;
    const box = document.createElement('div');
    box.id = 'list';
    box.className = 'rows';
    box.tabIndex = 0;
    box.setAttribute('role', 'listbox');
    box.setAttribute('aria-label', 'What happened, and what was decided');
    scroll.replaceChildren(box);

    const element = (name, className, text) => {
      const made = document.createElement(name);
      if (className) made.className = className;
      if (text !== undefined) { made.textContent = text; made.dir = 'auto'; }
      return made;
    };
    const verdicts = ['pass', 'hold', 'drop', 'drop'];
    const next = time => time === null ? '' : `, possible from ${clock(time)}`;

    function rowOf(i, n) {
      const row = element('div', 'row');
      row.id = `row${i}`;
      row.dataset.n = n;
      row.setAttribute('role', 'option');
      row.setAttribute('aria-setsize', list.ids.length);
      row.setAttribute('aria-posinset', n + 1);
      row.style.top = `${n * height}px`;
      const time = element('time', '', clock(timeOf(i)));
      if (i < count) {
        const [, kind, , , place, text, campaign, number, outcomes] = data.marks[i];
        row.classList.add(number ? kind : 'quiet');
        const sign = element('span', 'number', number ? String(number) : undefined);
        if (!number) {
          const picture = make('svg', {viewBox: '-9 -9 18 18', 'aria-hidden': 'true'}, sign);
          const use = make('g', {class: `visit ${kind}`}, picture);
          for (const [name, attributes] of signs[kind] ?? signs.other) make(name, attributes, use);
        }
        const words = element('span', 'words');
        words.append(element('span', 'message', text));
        const about = [number ? labelOf(place) : '', ...outcomes.slice(0, number ? 0 : 1), data.strings[campaign],
          ...outcomes.slice(number ? 0 : 1)].filter(Boolean).join(' · ');
        if (about) words.append(element('span', 'details', about));
        else row.classList.add('short');
        row.append(sign, words, time);
      } else {
        const [, campaign, place, stepName, verdict, reason, detail, possible, sentence] = data.decisions[i - count];
        row.classList.add('decision', verdicts[verdict]);
        const sign = element('span', 'number', '✓…✕✕'[verdict]);
        const words = element('span', 'words');
        const about = [data.strings[campaign], labelOf(place)].filter(Boolean).join(' · ');
        words.append(element('span', 'message', about || 'this fix'));
        const why = data.strings[detail] ? ` (${data.strings[detail]})` : '';
        words.append(element('span', 'details', data.strings[sentence]
          || `${data.strings[stepName]}: ${verdicts[verdict]}, ${data.strings[reason]}${why}${next(possible)}`));
        row.append(sign, words, time);
      }
      if (timeOf(i) > t) row.classList.add('later');
      if (i === current) { row.classList.add('on'); row.setAttribute('aria-current', 'time'); }
      row.setAttribute('aria-selected', i === current);
      return row;
    }
    const signs = {
      enter: [['path', {d: 'M-4-4.2L4.4 0L-4 4.2Z'}]], exit: [['path', {d: 'M4-4.2L-4.4 0L4 4.2Z'}]],
      dropped: [['circle', {r: 4.6}], ['path', {d: 'M-3.2 3.2L3.2-3.2'}]], other: [['circle', {r: 3.8}]]
    };

    const scroller = () => phone.matches ? panel : scroll;
    const offset = () => {
      const own = scroller();
      return box.getBoundingClientRect().top - own.getBoundingClientRect().top + own.scrollTop;
    };
    function drawList() {
      const own = scroller(), top = own.scrollTop - offset();
      const from = Math.max(0, Math.floor(top / height) - 8);
      const to = Math.min(list.ids.length, Math.ceil((top + own.clientHeight) / height) + 8);
      const rows = [];
      for (let n = from; n < to; n++) rows.push(rowOf(list.ids[n], n));
      if (!list.ids.length) rows.push(element('p', 'empty', count + data.decisions.length ? 'Nothing fits this filter.' : 'Nothing happened in this run.'));
      box.replaceChildren(...rows);
      const n = list.ids.indexOf(current);
      if (n >= from && n < to) box.setAttribute('aria-activedescendant', `row${current}`);
      else box.removeAttribute('aria-activedescendant');
    }

    // The row whose time is nearest; of those before, the last.
    function nearest() {
      const ids = list.ids, n = upTo(ids.length, i => timeOf(ids[i]), t);
      if (n === 0) return ids.length ? ids[0] : -1;
      if (n === ids.length) return ids[n - 1];
      return timeOf(ids[n]) - t < t - timeOf(ids[n - 1]) ? ids[n] : ids[n - 1];
    }
    function reveal(i) {
      const n = list.ids.indexOf(i);
      // On a phone the page begins with its title.
      if (n < 0 || phone.matches && !ready) return;
      const own = scroller(), top = n * height + offset();
      // On a phone the head of the panel stays in sight while the first rows do.
      if (top < own.scrollTop + height / 2) own.scrollTop = phone.matches && n === 0 ? 0 : top - height;
      else if (top + height * 1.5 > own.scrollTop + own.clientHeight) own.scrollTop = top + height * 2 - own.clientHeight;
    }

    function go(by) {
      const n = list.ids.indexOf(current), to = Math.min(list.ids.length - 1, Math.max(0, n < 0 ? 0 : n + by));
      if (list.ids[to] === undefined) return;
      choose(list.ids[to], 'list');
      writeFragment();
    }
    box.addEventListener('keydown', event => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const page = Math.max(1, Math.floor(scroll.clientHeight / height) - 1), all = list.ids.length;
      const by = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -all, End: all, Enter: 0}[event.key];
      if (by === undefined) return;
      event.preventDefault();
      go(by);
    });
    box.addEventListener('click', event => {
      const row = event.target.closest('.row');
      if (!row) return;
      play(false);
      choose(list.ids[+row.dataset.n], 'list');
      writeFragment();
    });
    box.addEventListener('pointerover', event => {
      if (event.pointerType !== 'mouse') return;
      const row = event.target.closest('.row'), i = row ? list.ids[+row.dataset.n] : -1;
      if (i !== hot) { glyphs.get(hot)?.classList.remove('hot'); glyphs.get(i)?.classList.add('hot'); hot = i; ask(1); }
    });
    box.addEventListener('pointerleave', () => { glyphs.get(hot)?.classList.remove('hot'); hot = -1; ask(1); });
    for (const own of [scroll, panel]) own.addEventListener('scroll', () => ask(4), {passive: true});
    phone.addEventListener('change', () => ask(4));
    new ResizeObserver(() => ask(4)).observe(panel);

    // All that is known of the chosen row.
    function showDetail() {
      const detail = byId('detail');
      detail.hidden = chosen < 0;
      if (chosen < 0) return detail.replaceChildren();
      const facts = element('dl'), add = (name, value) => {
        if (!value) return;
        const pair = element('div');
        pair.append(element('dt', '', name), element('dd', '', value));
        facts.append(pair);
      };
      add('Time', full(timeOf(chosen)));
      if (chosen < count) {
        const [, , , , place, text, campaign, , outcomes] = data.marks[chosen];
        add('What', text);
        add('Region', labelOf(place));
        add('Campaign', data.strings[campaign]);
        add(data.marks[chosen][7] ? 'Then' : 'More', outcomes.join(', '));
      } else {
        const [, campaign, place, stepName, verdict, reason, why, possible, sentence] = data.decisions[chosen - count];
        add('Why', data.strings[sentence]);
        add('Campaign', data.strings[campaign]);
        add('Region', labelOf(place));
        add('Step', data.strings[stepName]);
        add('Verdict', verdicts[verdict]);
        add('Reason', data.strings[reason]);
        add('Detail', data.strings[why]);
        add('Possible from', possible === null ? '' : full(possible));
      }
      detail.replaceChildren(facts);
    }

    function fillFilters() {
      const options = (id, values, choice) => {
        const select = byId(id);
        for (const [value, text] of values) {
          const option = element('option', '', text);
          option.value = value;
          select.append(option);
        }
        select.addEventListener('change', () => { choice(+select.value); applyFilters(t); writeFragment(); });
      };
      const known = of => [...new Set([...list.happened, ...list.decisions].map(of))].filter(Boolean);
      const byName = (a, b) => a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : a[0] - b[0];
      options('campaign', known(campaignOf).map(c => [c, data.strings[c]]).sort(byName), value => { list.campaign = value; });
      options('region', known(placeOf).map(p => [p, labelOf(p)]).sort(byName), value => { list.region = value; });
      for (const radio of document.querySelectorAll('[name=view]')) {
        radio.addEventListener('change', () => { list.view = radio.value; applyFilters(t); writeFragment(); });
      }
    }
    function applyFilters(time) {
      list.ids = list[list.view].filter(i => fits(campaignOf(i), placeOf(i)));
      byId('campaign').value = list.campaign || '';
      byId('region').value = list.region || '';
      for (const radio of document.querySelectorAll('[name=view]')) radio.checked = radio.value === list.view;
      circles.forEach((shape, i) => shape.classList.toggle('dim', list.region !== 0 && data.regions[i][3] !== list.region));
      box.style.height = `${Math.max(1, list.ids.length) * height}px`;
      const all = list[list.view].length, some = list.ids.length, number = n => n.toLocaleString('en');
      byId('count').textContent = some === all ? '' : `${number(some)} of ${number(all)} rows`;
      setTime(time);
      ask(7);
    }

    """#
}
