extension MapPage {
  /// Pointer, wheel, keys, buttons and the list.
  static let inputScript = #"""

    function mark(kind, i) {
      const before = kind === 'on' ? chosen : hot;
      if (before === i) return;
      glyphs.get(before)?.classList.remove(kind);
      glyphs.get(i)?.classList.add(kind);
      if (kind === 'on') chosen = i; else hot = i;
      const glyph = glyphs.get(i);
      if (glyph && glyph !== glyph.parentNode.lastElementChild) lift(glyph, glyph.parentNode);
      ask(5);
    }
    // All pins are one stop of the tab key, at the chosen one.
    function rove(i) {
      for (const pin of pins) pin.setAttribute('tabindex', +pin.dataset.i === i ? 0 : -1);
    }
    // From the list and the keys the time goes along; a pin that is pointed at leaves it.
    function choose(i, source) {
      mark('on', i);
      showDetail();
      if (i < 0) return;
      tellChosen(data.strings[campaignOf(i)], placeOf(i), timeOf(i));
      if (glyphs.get(i)?.classList.contains('pin')) rove(i);
      if (source === 'list') setTime(timeOf(i), i);
      else { current = i; ask(4); reveal(i); }
      const [, , mx, my] = i < count ? data.marks[i] : [0, 0, null, null];
      if (source === 'map') return;
      // Into view, with room for its words above it.
      const at = mx === null || i >= count ? hereAt() : [mx, my];
      if (!at) return;
      const x = sx(at[0]), y = sy(at[1]), edge = Math.min(40, size.w / 4);
      const dx = Math.min(size.w - edge - 30, Math.max(edge, x)) - x;
      const dy = Math.min(size.h - 30, Math.max(Math.min(110, size.h / 2), y)) - y;
      if (dx || dy) fly({k: view.k, x: view.x + dx, y: view.y + dy});
    }
    for (const [i, glyph] of glyphs) {
      glyph.addEventListener('pointerenter', event => { if (event.pointerType === 'mouse') mark('hot', i); });
      glyph.addEventListener('pointerleave', () => mark('hot', -1));
      glyph.addEventListener('focus', () => { if (glyph.matches(':focus-visible')) choose(i, 'pin'); });
    }

    // Dragging with one pointer, pinching with two.
    const pointers = new Map();
    let dragged = false, pinch = 0;
    const local = event => {
      const box = svg.getBoundingClientRect();
      return {x: event.clientX - box.left, y: event.clientY - box.top};
    };
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return {d: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
    };
    svg.addEventListener('pointerdown', event => {
      if (event.pointerType === 'mouse' && event.button !== 0) return;
      if (held >= 0) return;
      cancelAnimationFrame(flight);
      if (pointers.size === 0) dragged = false;
      if (pointers.size === 0 && hold(event)) return;
      pointers.set(event.pointerId, local(event));
      if (pointers.size === 2) { pinch = spread(); dragged = true; }
    });
    // Whether it is no click any more.
    function isDrag(event, at, from) {
      if (!dragged && Math.hypot(at.x - from.x, at.y - from.y) >= 4) { dragged = true; svg.setPointerCapture(event.pointerId); }
      return dragged;
    }
    svg.addEventListener('pointermove', event => {
      const at = local(event), before = pointers.get(event.pointerId);
      if (held >= 0) { if (isDrag(event, at, grip)) tellHandle(at, false); return; }
      if (!before) return hover(event, at);
      if (pointers.size === 1) {
        if (!isDrag(event, at, before)) return;
        svg.classList.add('moving');
        pointers.set(event.pointerId, at);
        move({k: view.k, x: view.x + at.x - before.x, y: view.y + at.y - before.y});
      } else if (pointers.size === 2) {
        pointers.set(event.pointerId, at);
        const now = spread(), to = zoomed(now.d / Math.max(1, pinch.d), pinch.x, pinch.y);
        move({k: to.k, x: to.x + now.x - pinch.x, y: to.y + now.y - pinch.y});
        pinch = now;
      }
    });
    const release = event => { if (held >= 0) letGo(local(event)); pointers.delete(event.pointerId); svg.classList.remove('moving'); };
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, release);
    svg.addEventListener('click', event => {
      if (dragged || event.target.closest('[data-h]')) return;
      if (edit.drawing) return tell({plot: 'place', place: placeAt(local(event))});
      const glyph = event.target.closest('[data-i]');
      choose(glyph ? +glyph.dataset.i : -1, 'map');
      if (glyph) return;
      tellChosen('', hotRegion >= 0 ? data.regions[hotRegion][3] : null, t);
      hover({pointerType: 'mouse', target: event.target}, local(event));
    });
    svg.addEventListener('dblclick', event => {
      if (edit.drawing) return;
      const at = local(event);
      fly(zoomed(2, at.x, at.y));
    });
    svg.addEventListener('wheel', event => {
      event.preventDefault();
      cancelAnimationFrame(flight);
      const at = local(event), lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      move(zoomed(Math.exp(-event.deltaY * lines * (event.ctrlKey ? .01 : .0016)), at.x, at.y));
    }, {passive: false});
    svg.addEventListener('pointerleave', () => point(-1));

    // The region under the pointer: the smallest one around it, a tiny one also from a little way off.
    function hover(event, at) {
      if (event.pointerType !== 'mouse' || event.target.closest('[data-i]')) return point(-1);
      let best = -1, smallest = Infinity;
      data.regions.forEach(([, , meters], i) => {
        const [mx, my] = middle(i), reach = Math.max(meters * view.k, 9);
        if (reach < smallest && Math.hypot(sx(mx) - at.x, sy(my) - at.y) <= reach) { best = i; smallest = reach; }
      });
      point(best);
    }
    function point(i) {
      if (i === hotRegion) return;
      circles[hotRegion]?.classList.remove('hot');
      circles[i]?.classList.add('hot');
      hotRegion = i;
      placeTip();
    }

    byId('in').addEventListener('click', () => fly(zoomed(1.6)));
    byId('out').addEventListener('click', () => fly(zoomed(1 / 1.6)));
    byId('fit').addEventListener('click', () => fly(fitted()));
    svg.addEventListener('keydown', event => {
      if (event.altKey || event.ctrlKey || event.metaKey || editByKey(event)) return;
      const glyph = event.target.closest('[data-i]');
      const numbered = pins.filter(pin => !pin.classList.contains('off')).map(pin => +pin.dataset.i).sort((a, b) => a - b);
      const turn = numbered.indexOf(glyph ? +glyph.dataset.i : -1);
      const pan = (x, y) => {
        if (turn < 0) return fly({k: view.k, x: view.x + x, y: view.y + y});
        const next = numbered[Math.min(numbered.length - 1, Math.max(0, turn + (x + y < 0 ? 1 : -1)))];
        glyphs.get(next).classList.remove('same');
        glyphs.get(next).focus({preventScroll: true});
      };
      const keys = {
        '+': () => fly(zoomed(1.6)), '=': () => fly(zoomed(1.6)), '-': () => fly(zoomed(1 / 1.6)),
        '0': () => fly(fitted()), ArrowLeft: () => pan(90, 0), ArrowRight: () => pan(-90, 0),
        ArrowUp: () => pan(0, 90), ArrowDown: () => pan(0, -90), Escape: () => { choose(-1); svg.focus(); },
        Enter: () => glyph && choose(+glyph.dataset.i, 'list')
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });

    // Keys that work wherever the focus is, but for what takes them itself.
    document.addEventListener('keydown', event => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      const taker = event.target.closest('select, button, summary, input');
      const keys = {n: () => leap(1), p: () => leap(-1), j: () => go(1), k: () => go(-1), ' ': () => play(!playing)};
      const key = event.key.toLowerCase();
      if (!keys[key] || taker?.matches('select') || (key === ' ' && taker && taker !== slider)) return;
      event.preventDefault();
      keys[key]();
    });

    // The map keeps what it shows when the window changes; before anything was moved it keeps showing all.
    function measure() {
      const box = svg.getBoundingClientRect();
      if (box.width < 1 || box.height < 1) return;
      const whole = size.w === 0 || Math.abs(view.k / fitted().k - 1) < .001;
      const middle = {x: (size.w / 2 - view.x) / view.k, y: (size.h / 2 - view.y) / view.k};
      size = {w: box.width, h: box.height};
      svg.setAttribute('viewBox', `0 0 ${size.w} ${size.h}`);
      const fit = fitted();
      least = fit.k / 3;
      most = Math.max(fit.k * 4, 12);
      move(whole ? fit : {k: view.k, x: size.w / 2 - middle.x * view.k, y: size.h / 2 - middle.y * view.k});
    }
    new ResizeObserver(measure).observe(svg);
    for (const id of ['time', 'filters', 'keys']) byId(id).hidden = false;
    fillFilters();
    readFragment();
    ready = true;
    window.addEventListener('hashchange', readFragment);
    measure();

    """#
}
