extension MapPage {
  /// The script of the page: moving and zooming, what depends on the zoom, what depends on the time, the list, and the ties between them.
  package static let script = viewScript + layoutScript + timeScript + listScript + editingScript + inputScript

  /// The state of the view, and the parts of the drawing that follow it.
  private static let viewScript = #"""
    'use strict';
    const data = JSON.parse(document.getElementById('data').textContent);
    const byId = id => document.getElementById(id);
    const svg = byId('map'), world = byId('world'), panel = byId('panel'), tip = byId('tip');
    const glyphs = new Map([...svg.querySelectorAll('[data-i]')].map(glyph => [+glyph.dataset.i, glyph]));
    const pins = [...svg.querySelectorAll('.pin')], anchors = [...svg.querySelectorAll('.anchor')];
    // The shape of each region.
    const circles = [];
    for (const shape of svg.querySelectorAll('[data-r]')) circles[+shape.dataset.r] = shape;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const make = (name, attributes, parent) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      if (parent) parent.append(element);
      return element;
    };
    // A point (x, y) of the plane, in metres, is drawn at (x * k + view.x, y * k + view.y), in pixels.
    let view = {k: 1, x: 0, y: 0}, size = {w: 0, h: 0}, least = 1, most = 1, flight = 0;
    // The mark under the pointer and the chosen one: a mark by its number, a decision by its number after all marks.
    let hot = -1, chosen = -1, hotRegion = -1;
    // The parts that the next frame has to draw anew: 1 the view, 2 the time, 4 the list, 8 which pins and labels have room.
    let stale = 0;
    const ask = what => { if (!stale) requestAnimationFrame(frame); stale |= what; };
    function frame() {
      if (stale & 2) drawTime();
      if (stale & 1) draw(); else if (stale & 8) layOut();
      if (stale & 6) drawList();
      stale = 0;
    }

    // The view that shows all, clear of the buttons and of the scale bar.
    const boxOf = (id, margin) => {
      const a = byId(id), x = a.offsetLeft, y = a.offsetTop;
      return [x - margin, y - margin, x + a.offsetWidth + margin, y + a.offsetHeight + margin];
    };
    function fitted() {
      const [x0, y0, x1, y1] = data.bounds, buttons = boxOf('controls', 4);
      const side = Math.min(56, size.w * .08), top = size.w < 500 ? Math.min(74, size.h * .25) : Math.min(64, size.h * .14), bottom = Math.min(48, size.h * .12);
      const fit = right => {
        // In a window that is all margin there is still a map.
        const k = Math.min(Math.max(1, size.w - side - right) / (x1 - x0), Math.max(1, size.h - top - bottom) / (y1 - y0));
        const x = (side + size.w - right) / 2 - (x0 + x1) / 2 * k, y = (top + size.h - bottom) / 2 - (y0 + y1) / 2 * k;
        return {k, x, y};
      };
      const free = fit(side), x = m => m * free.k + free.x, y = m => m * free.k + free.y;
      const isHidden = ([mx, my]) => overlaps([x(mx) - 11, y(my) - 29, x(mx) + 11, y(my) + 5], buttons);
      const hides = data.marks.some(mark => mark[2] !== null && isHidden([mark[2], mark[3]])) || pieces.some(piece => piece.points.some(isHidden));
      return hides ? fit(size.w - buttons[0] + 12) : free;
    }
    function move(to) {
      const [x0, y0, x1, y1] = data.bounds, edge = 60;
      const k = Math.min(most, Math.max(least, to.k));
      view = {
        k, x: Math.min(size.w - edge - x0 * k, Math.max(edge - x1 * k, to.x)),
        y: Math.min(size.h - edge - y0 * k, Math.max(edge - y1 * k, to.y))
      };
      ask(1);
    }
    function fly(to) {
      cancelAnimationFrame(flight);
      if (calm) return move(to);
      const from = view, start = performance.now();
      const step = now => {
        const t = Math.min(1, (now - start) / 220), e = 1 - (1 - t) ** 3;
        const k = from.k * (to.k / from.k) ** e;
        // The point that keeps its place while zooming, so that the zoom goes straight.
        const part = to.k === from.k ? e : (k - from.k) / (to.k - from.k);
        move({k, x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part});
        if (t < 1) flight = requestAnimationFrame(step);
      };
      flight = requestAnimationFrame(step);
    }
    function zoomed(factor, x = size.w / 2, y = size.h / 2) {
      const k = Math.min(most, Math.max(least, view.k * factor)), f = k / view.k;
      return {k, x: x - (x - view.x) * f, y: y - (y - view.y) * f};
    }
    const sx = x => x * view.k + view.x, sy = y => y * view.k + view.y;

    function draw() {
      world.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.k})`);
      for (const [i, glyph] of glyphs) {
        const mark = data.marks[i];
        glyph.setAttribute('transform', `translate(${sx(mark[2]).toFixed(1)} ${sy(mark[3]).toFixed(1)})`);
      }
      for (const anchor of anchors) {
        const {x, y} = anchor.dataset;
        anchor.setAttribute('transform', `translate(${sx(+x).toFixed(1)} ${sy(+y).toFixed(1)})`);
      }
      drawHere(); drawFixes(); drawTiles(); drawScale(); drawGrid(); drawArrows(); drawHandles(); layOut(); tellView();
    }
    function layOut() { drawLabels(layPins()); placeTip(); }

    // Streets, where the page has a server of them. A tile is put at its own corners, so it fits the plane wherever it is.
    const tiles = new Map();
    function drawTiles() {
      if (!data.tiles) return;
      const [lat, lon] = data.centre, [north, east] = data.degree, rad = Math.PI / 180;
      const zoom = Math.min(19, Math.max(0, Math.round(Math.log2(view.k * 360 * east / 256)))), n = 2 ** zoom;
      const column = x => (lon + x / east + 180) / 360 * n;
      const row = y => (1 - Math.asinh(Math.tan(Math.min(85, Math.max(-85, lat - y / north)) * rad)) / Math.PI) / 2 * n;
      const left = i => (i / n * 360 - 180 - lon) * east, top = j => (lat - Math.atan(Math.sinh(Math.PI * (1 - 2 * j / n))) / rad) * north;
      const wanted = new Set(), from = Math.floor(column(-view.x / view.k)), to = Math.floor(column((size.w - view.x) / view.k));
      const first = Math.max(0, Math.floor(row(-view.y / view.k))), last = Math.min(n - 1, Math.floor(row((size.h - view.y) / view.k)));
      for (let i = from; i <= to; i++) for (let j = first; j <= last; j++) {
        const name = `${zoom}/${i}/${j}`;
        wanted.add(name);
        if (tiles.has(name)) continue;
        const values = {z: zoom, x: (i % n + n) % n, y: j}, more = .5 / view.k;
        tiles.set(name, make('image', {
          href: data.tiles.replace(/\{([zxy])\}/g, (_, key) => values[key]), x: left(i), y: top(j), preserveAspectRatio: 'none',
          width: left(i + 1) - left(i) + more, height: top(j + 1) - top(j) + more
        }, byId('tiles')));
      }
      for (const [name, image] of tiles) if (!wanted.has(name)) { image.remove(); tiles.delete(name); }
    }

    // Meridians and parallels at round degrees, at least 120 pixels apart.
    function drawGrid() {
      const grid = byId('grid');
      const steps = [30, 10, 5, 2, 1, .5, .2, .1, .05, .02, .01, .005, .002, .001, .0005, .0002, .0001, .00005, .00002];
      const degree = (value, step, letters) => {
        const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
        const turn = letters === 'EW' ? ((value + 180) % 360 + 360) % 360 - 180 : value;
        return Math.abs(turn).toFixed(digits) + '° ' + (Math.abs(turn) < step / 2 ? '' : letters[turn < 0 ? 1 : 0]);
      };
      grid.replaceChildren();
      const [lat, lon] = data.centre, [north, east] = data.degree;
      const lines = (perDegree, letters, centre, from, to, sign, plot) => {
        const step = steps.findLast(s => s * perDegree * view.k >= 120) ?? 30;
        const a = centre + sign * from / perDegree, b = centre + sign * to / perDegree;
        for (let n = Math.ceil(Math.min(a, b) / step); n * step <= Math.max(a, b); n++) {
          if (letters === 'NS' && Math.abs(n * step) > 90) continue;
          plot(sign * (n * step - centre) * perDegree, degree(n * step, step, letters));
        }
      };
      let d = '';
      const texts = [];
      lines(east, 'EW', lon, -view.x / view.k, (size.w - view.x) / view.k, 1, (x, text) => {
        const at = Math.round(sx(x)) + .5;
        d += `M${at} 0V${size.h}`;
        if (at > 70 && at < size.w - 90) texts.push([at, 14, 'middle', text]);
      });
      lines(north, 'NS', lat, -view.y / view.k, (size.h - view.y) / view.k, -1, (y, text) => {
        const at = Math.round(sy(y)) + .5;
        d += `M0 ${at}H${size.w}`;
        if (at > 24 && at < size.h - 60) texts.push([8, at + 3.5, 'start', text]);
      });
      make('path', {d}, grid);
      for (const [x, y, anchor, text] of texts) {
        make('text', {x, y, 'text-anchor': anchor}, grid).textContent = text;
      }
    }

    // A round length of at most 130 pixels.
    function drawScale() {
      const meters = 130 / view.k, power = 10 ** Math.floor(Math.log10(meters));
      const round = [5, 2, 1].find(n => n * power <= meters) * power;
      const bar = byId('scale');
      bar.style.visibility = 'visible';
      bar.style.width = `${round * view.k}px`;
      bar.firstElementChild.textContent = round >= 1000 ? `${round / 1000} km` : `${+round.toPrecision(1)} m`;
    }

    """#

  /// Marks that have their own size on the screen, and must not pile up: arrows, pins and labels.
  private static let layoutScript = #"""

    // The track with the way to each of its points, in metres.
    const pieces = data.track.map(flat => {
      const points = [], times = [], way = [0];
      for (let i = 0; i < flat.length; i += 3) { times.push(flat[i]); points.push([flat[i + 1], flat[i + 2]]); }
      for (let i = 1; i < points.length; i++) {
        way.push(way[i - 1] + Math.hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]));
      }
      return {points, times, way};
    });
    // Visits points along the visible track, `every` pixels apart; `at(d)` is the place d pixels further on.
    function walk(every, visit) {
      for (const {points, way} of pieces) {
        const step = every / view.k;
        for (let i = 1; i < points.length; i++) {
          const [ax, ay] = points[i - 1], [bx, by] = points[i], limit = 9;
          if (Math.max(sx(ax), sx(bx)) < -limit || Math.min(sx(ax), sx(bx)) > size.w + limit
            || Math.max(sy(ay), sy(by)) < -limit || Math.min(sy(ay), sy(by)) > size.h + limit) continue;
          for (let n = Math.floor(way[i - 1] / step - .5) + 1; (n + .5) * step <= way[i]; n++) {
            const at = pixels => {
              const along = Math.min(way.at(-1), Math.max(0, (n + .5) * step + pixels / view.k));
              let j = i;
              while (j > 1 && way[j - 1] > along) j--;
              while (j < way.length - 1 && way[j] < along) j++;
              const part = way[j] > way[j - 1] ? (along - way[j - 1]) / (way[j] - way[j - 1]) : 0;
              const [cx, cy] = points[j - 1], [dx, dy] = points[j];
              return [sx(cx + (dx - cx) * part), sy(cy + (dy - cy) * part)];
            };
            visit(at);
          }
        }
      }
    }

    // Small arrows along the track, in the direction of travel.
    function drawArrows() {
      const group = byId('arrows');
      let d = '';
      walk(90, at => {
        const [ax, ay] = at(-7), [bx, by] = at(7), [x, y] = at(0), length = Math.hypot(bx - ax, by - ay);
        // Where the track turns back or the device stood still there is no direction.
        if (length < 10) return;
        const c = (bx - ax) / length, s = (by - ay) / length;
        const corner = (u, v) => `${(x + u * c - v * s).toFixed(1)} ${(y + u * s + v * c).toFixed(1)}`;
        d += `M${corner(-2.5, -4.5)}L${corner(2.5, 0)}L${corner(-2.5, 4.5)}`;
      });
      group.replaceChildren();
      if (d) { make('path', {d}, group); make('path', {d}, group); }
    }

    const overlaps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    const inView = (x, y, margin) => x > -margin && y > -margin && x < size.w + margin && y < size.h + margin;

    // Boxes on the screen in a coarse raster, to find what one would cover.
    class Boxes {
      cells = new Map();
      each(box, visit) {
        for (let i = Math.floor(box[0] / 64); i <= Math.floor(box[2] / 64); i++)
          for (let j = Math.floor(box[1] / 64); j <= Math.floor(box[3] / 64); j++) {
            const key = i * 65536 + j;
            if (visit(key, this.cells.get(key) ?? [])) return true;
          }
        return false;
      }
      add(box) { this.each(box, (key, cell) => { cell.push(box); this.cells.set(key, cell); return false; }); }
      hits(box) { return this.each(box, (key, cell) => cell.some(other => overlaps(other, box))); }
    }

    // Pins in their order, the chosen one first; one that would cover another shrinks to a dot until there is room.
    function layPins() {
      const boxes = new Boxes();
      boxes.add(boxOf('controls', 2));
      if (!nowBox.hidden) boxes.add(boxOf('now', 2));
      // Of dots on the same few pixels one is there; the one that the tab key reaches is always.
      const cells = new Set();
      const rank = pin => +pin.dataset.i === chosen ? 0 : +pin.dataset.i === hot || +pin.dataset.i === fresh ? 1 : 2;
      for (const pin of [...pins].sort((a, b) => rank(a) - rank(b))) {
        if (pin.classList.contains('off')) continue;
        const [, , mx, my] = data.marks[+pin.dataset.i], x = sx(mx), y = sy(my);
        if (!inView(x, y, 40)) continue;
        const box = [x - 10, y - 28, x + 10, y - 8], small = rank(pin) === 2 && boxes.hits(box);
        if (small !== pin.classList.contains('small')) {
          pin.classList.toggle('small', small);
          lift(pin, byId(small ? 'dots' : 'pins'));
        }
        const cell = `${Math.round(x / 3)} ${Math.round(y / 3)} ${pin.classList[1]}`;
        pin.classList.toggle('same', small && cells.has(cell) && pin.getAttribute('tabindex') !== '0');
        if (!small) boxes.add(box);
        else if (!cells.has(cell)) boxes.add([x - 4, y - 4, x + 4, y + 4]);
        if (small) cells.add(cell);
      }
      return boxes;
    }

    // Moves an element to the end of its layer, on top of the others; it would lose its focus by that.
    function lift(element, layer) {
      const had = element === document.activeElement;
      layer.append(element);
      if (had) element.focus({preventScroll: true});
    }

    const pen = document.createElement('canvas').getContext('2d');
    const widths = new Map();
    function width(text) {
      if (!widths.has(text)) {
        pen.font = `11.5px ${getComputedStyle(document.body).fontFamily}`;
        widths.set(text, pen.measureText(text).width);
      }
      return widths.get(text);
    }

    // Names of the regions, those visited first, each where it covers nothing, or not at all.
    const order = data.regions.map((_, i) => i)
      .sort((a, b) => data.regions[b][4] - data.regions[a][4] || data.regions[b][2] - data.regions[a][2]);
    function drawLabels(boxes) {
      const group = byId('labels');
      group.replaceChildren();
      for (const anchor of anchors) {
        const x = sx(+anchor.dataset.x), y = sy(+anchor.dataset.y);
        boxes.add([x - 7, y - 7, x + 7, y + 7]);
      }
      boxes.add(boxOf('scale', 16));
      const track = new Boxes();
      walk(8, at => {
        const [x, y] = at(0);
        track.add([x - 2, y - 2, x + 2, y + 2]);
      });
      let placed = 0;
      for (const i of order) {
        const [, , meters, place, seen] = data.regions[i], [mx, my] = middle(i), name = labelOf(place), x = sx(mx), y = sy(my), r = meters * view.k;
        if (!inView(x, y, 0)) continue;
        if (placed === 120) break;
        const text = name.length > 34 ? name.slice(0, 33) + '…' : name, w = width(text), gap = Math.max(r, 4) + 5;
        const spots = [[x + gap, y], [x - gap - w, y], [x - w / 2, y + gap + 6], [x - w / 2, y - gap - 6]];
        if (r > w / 2 + 12) spots.unshift([x - w / 2, y + 14], [x - w / 2, y]);
        const free = spots.map(([left, middle]) => [left - 4, middle - 8, left + w + 4, middle + 8]).filter(box =>
          box[0] >= 2 && box[1] >= 18 && box[2] <= size.w - 2 && box[3] <= size.h - 2 && !boxes.hits(box));
        // On the track only where nothing else is free.
        const box = free.find(box => !track.hits(box)) ?? free[0];
        if (!box) continue;
        boxes.add(box);
        make('text', {x: (box[0] + 4).toFixed(1), y: (box[1] + 12).toFixed(1), class: seen ? '' : 'plain'}, group)
          .textContent = text;
        placed++;
      }
    }

    // A word on what is pointed at, or else on what is chosen, or else on what has just come.
    function placeTip() {
      const shown = i => i >= 0 && i < count && glyphs.has(i) && !glyphs.get(i).classList.contains('off');
      const i = shown(hot) ? hot : hotRegion >= 0 ? -1 : shown(chosen) ? chosen : shown(fresh) ? fresh : -1;
      if (i < 0 && hotRegion < 0) { tip.hidden = true; return; }
      let x, y, above, below, head, foot;
      if (i >= 0) {
        const [time, , mx, my, place, text, , number] = data.marks[i];
        [x, y, above, below] = [sx(mx), sy(my), number ? (i === chosen ? 44 : 36) : 12, 14];
        [head, foot] = [text, number && place ? `${clock(time)} · ${labelOf(place)}` : clock(time)];
      } else {
        const [, , meters, place] = data.regions[hotRegion], [mx, my] = middle(hotRegion), r = Math.min(meters * view.k, 80);
        [x, y, above, below] = [sx(mx), sy(my), r + 8, r + 8];
        const state = stateAt(place);
        [head, foot] = [labelOf(place), `${state ? phrase(state) : 'Outside'} · ${
          meters >= 1000 ? `${+(meters / 1000).toFixed(1)} km radius` : `${meters} m radius`}`];
      }
      tip.hidden = !inView(x, y, 0);
      if (tip.hidden) return;
      const bold = document.createElement('b'), small = document.createElement('small');
      bold.textContent = head; small.textContent = foot; bold.dir = small.dir = 'auto';
      tip.replaceChildren(bold, small);
      const w = tip.offsetWidth, h = tip.offsetHeight;
      tip.style.left = `${Math.min(size.w - w - 8, Math.max(8, x - w / 2))}px`;
      tip.style.top = `${y - above - h >= 4 ? y - above - h : Math.min(y + below, size.h - h - 4)}px`;
    }

    """#
}
