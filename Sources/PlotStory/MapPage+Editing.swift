extension MapPage {
  /// The talk with a page that shows this one in a frame, as `plot studio` does. The rules of shapes are the other page's: this one shows a
  /// shape and its handles, and tells where a person drags them.
  static let editingScript = #"""

    const tell = words => { if (parent !== window) parent.postMessage(words, '*'); };
    const tellChosen = (campaign, place, time) =>
      tell({plot: 'chosen', campaign, region: place === null ? '' : data.places[place][0], minute: localIso(time).slice(0, 16)});
    // The edited region: its id, its shape, its handles, and the kind of shape that is drawn.
    let edit = {on: false, handles: []};
    // The handle that is dragged, where it was taken, and how far from its middle.
    let held = -1, grip = null, off = {x: 0, y: 0};
    // How far from its middle a handle is taken, in pixels.
    const taken = {between: 11, other: 22};
    const planeOf = ([longitude, latitude]) => {
      const [lat, lon] = data.centre, [north, east] = data.degree;
      return [(((longitude - lon + 180) % 360 + 360) % 360 - 180) * east, (lat - latitude) * north];
    };
    const placeAt = at => {
      const [lat, lon] = data.centre, [north, east] = data.degree;
      return [lon + (at.x - view.x) / view.k / east, lat - (at.y - view.y) / view.k / north].map(value => +value.toFixed(7));
    };
    addEventListener('message', event => {
      if (event.source !== parent || event.data?.plot !== 'edit') return;
      edit = event.data;
      document.documentElement.classList.toggle('drawing', Boolean(edit.drawing));
      drawEdited();
      // As the map was seen before this run.
      if (edit.seen && size.w > 0) {
        const [x, y] = planeOf(edit.seen.centre), k = edit.seen.k;
        move({k, x: size.w / 2 - x * k, y: size.h / 2 - y * k});
      }
    });
    function outline({kind, center, radius, corners, polygons}) {
      const line = places => 'M' + places.map(place => planeOf(place).map(value => value.toFixed(2)).join(' ')).join('L');
      if (kind === 'corridor') return line(corners);
      if (kind === 'area') return polygons.flat().map(ring => line(ring) + 'Z').join('');
      const [x, y] = planeOf(center);
      return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
    }
    function drawEdited() {
      circles.forEach((shape, i) => shape.classList.toggle('away', edit.on && Boolean(edit.shape) && data.places[data.regions[i][3]][0] === edit.region));
      byId('edited')?.remove();
      byId('handles')?.remove();
      if (!edit.on || !edit.shape) return;
      const shape = make('path', {id: 'edited', d: outline(edit.shape), 'fill-rule': 'evenodd'}, world);
      if (edit.shape.kind === 'corridor') { shape.classList.add('line'); shape.setAttribute('stroke-width', Math.max(edit.shape.width, 2 / view.k)); }
      const focused = document.activeElement?.dataset?.h === undefined ? null : document.activeElement.getAttribute('aria-label');
      const group = make('g', {id: 'handles'}, svg);
      edit.handles.forEach(({kind, label}, h) => {
        const handle = make('g', {class: `handle ${kind}`, 'data-h': h, tabindex: 0, role: 'button', 'aria-label': label}, group);
        make('circle', {class: 'reach', r: kind === 'between' ? taken.between : taken.other}, handle);
        make('circle', {r: kind === 'between' ? 4.5 : 7}, handle);
        if (label === focused) handle.focus({preventScroll: true});
      });
      // Those that are easier to miss lie above.
      for (const handle of group.querySelectorAll('.between')) group.append(handle);
      drawHandles();
    }
    function drawHandles() {
      for (const handle of svg.querySelectorAll('[data-h]')) {
        const [x, y] = planeOf(edit.handles[+handle.dataset.h].place);
        handle.setAttribute('transform', `translate(${sx(x).toFixed(1)} ${sy(y).toFixed(1)})`);
      }
    }
    const tellHandle = (at, done) => tell({plot: 'handle', index: held, place: placeAt({x: at.x - off.x, y: at.y - off.y}), done});
    // Whether a handle was taken: of those that reach so far, the nearest.
    function hold(event) {
      if (!event.target.closest('[data-h]')) return false;
      grip = local(event);
      let least = Infinity;
      edit.handles.forEach(({kind, place}, h) => {
        const [x, y] = planeOf(place), from = {x: grip.x - sx(x), y: grip.y - sy(y)}, far = Math.hypot(from.x, from.y);
        if (far <= (kind === 'between' ? taken.between : taken.other) && far < least) [least, held, off] = [far, h, from];
      });
      return held >= 0;
    }
    // A click on a place between two corners makes one there.
    function letGo(at) {
      if (dragged) tellHandle(at, true);
      else if (edit.handles[held]?.kind === 'between') tell({plot: 'handle', index: held, place: edit.handles[held].place, done: true});
      held = -1;
    }
    // Whether a key was for the handles, or for a shape that is drawn.
    function editByKey(event) {
      const handle = event.target.closest('[data-h]'), step = {ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, -4], ArrowDown: [0, 4]}[event.key];
      if (handle && step) {
        const index = +handle.dataset.h, [x, y] = planeOf(edit.handles[index].place);
        tell({plot: 'handle', index, place: placeAt({x: sx(x) + step[0], y: sy(y) + step[1]}), done: true});
      } else if (handle && (event.key === 'Delete' || event.key === 'Backspace')) tell({plot: 'remove', index: +handle.dataset.h});
      else if (edit.drawing && event.key === 'Enter') tell({plot: 'place', place: placeAt({x: size.w / 2, y: size.h / 2})});
      else return false;
      event.preventDefault();
      return true;
    }
    let seenLater = 0;
    function tellView() {
      if (parent === window) return;
      clearTimeout(seenLater);
      seenLater = setTimeout(() => tell({plot: 'seen', centre: placeAt({x: size.w / 2, y: size.h / 2}), k: view.k}), 150);
    }
    """#
}
