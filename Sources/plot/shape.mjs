// The shape of a region as it is edited on a map: a circle, an area with holes, a corridor. The dashboard and `plot studio` share it, so it knows neither a
// page nor a map. Positions are [longitude, latitude] in degrees, lengths metres.

/** Of the globe, in metres. */
export const circumference = 40_075_016.686;
/** A degree. */
export const turn = Math.PI / 180;

/** The metres between two places. */
export function distance([fromEast, fromNorth], [toEast, toNorth]) {
  const [a, b] = [fromNorth * turn, toNorth * turn];
  const half = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin((toEast - fromEast) * turn / 2) ** 2;
  return circumference / Math.PI * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** A place so many metres to the east of another. */
export const eastOf = ([east, north], metres) => [east + metres * 360 / circumference / Math.max(0.01, Math.cos(north * turn)), north];

/** Positions by the shorter way from one to the next, as the engine reads them: a longitude may then be above 180. `near`: where the first one is to be. */
export function unwrapped(positions, near) {
  let last = near;
  return positions.map(([east, north]) => {
    const turns = last === undefined ? 0 : Math.round((last - east) / 360);
    last = east + turns * 360;
    return [last, north];
  });
}

/** To a ten-millionth of a degree: a centimetre. Longitudes as the feed takes them. */
export const position = ([east, north]) => [((east + 180) % 360 + 360) % 360 - 180, north].map((value) => Math.round(value * 1e7) / 1e7);

/** The shape of a region of a feed; null for one that has none of its own: a beacon, a group. Rings are open: the first corner is not told again. */
export function shapeOf(region) {
  if (region.latitude !== undefined) return { kind: 'circle', center: [region.longitude, region.latitude], radius: region.radius ?? 200 };
  if (region.geometry === undefined) return null;
  const { type, coordinates } = region.geometry;
  if (type === 'LineString') return { kind: 'corridor', corners: unwrapped(coordinates), width: region.width ?? 50 };
  const open = (one) => unwrapped(one.slice(0, -1));
  return { kind: 'area', polygons: (type === 'Polygon' ? [coordinates] : coordinates).map((rings) => rings.map(open)) };
}

/** The keys of a feed that say a shape. */
export function keysOf({ kind, center, radius, corners, width, polygons }) {
  if (kind === 'circle') {
    const [longitude, latitude] = position(center);
    return { latitude, longitude, radius: Math.round(radius * 10) / 10 };
  }
  if (kind === 'corridor') return { width, geometry: { type: 'LineString', coordinates: corners.map(position) } };
  const closed = polygons.map((rings) => rings.map((one) => [...one, one[0]].map(position)));
  const isOne = closed.length === 1;
  return { geometry: { type: isOne ? 'Polygon' : 'MultiPolygon', coordinates: isOne ? closed[0] : closed } };
}

/** How many corners a kind of shape has at least. */
export const leastCorners = (kind) => ({ circle: 1, corridor: 2, area: 3 })[kind];

/** The shape of corners that were drawn; null while they are too few. */
export function shapeFrom(kind, corners) {
  if (corners.length < leastCorners(kind)) return null;
  return { circle: { kind, center: corners[0], radius: 100 }, corridor: { kind, corners, width: 50 }, area: { kind, polygons: [[corners]] } }[kind];
}

// MARK: Handles

/**
 * The places where a shape is taken: the centre and the edge of a circle, each corner of a ring or a line, and between two corners where one more can be
 * put. `number`: of the corner, from 1; `hole`: of the hole, from 1, or 0.
 */
export function handlesOf(shape) {
  if (shape.kind === 'circle') {
    return [{ kind: 'center', place: shape.center }, { kind: 'radius', place: eastOf(shape.center, shape.radius) }];
  }
  const along = (list, path, hole) => list.flatMap((place, index) => {
    const corner = { kind: 'corner', place, path, index, number: index + 1, hole };
    const next = list[index + 1] ?? (shape.kind === 'area' ? list[0] : null);
    return next ? [corner, { ...corner, kind: 'between', place: [(place[0] + next[0]) / 2, (place[1] + next[1]) / 2] }] : [corner];
  });
  if (shape.kind === 'corridor') return along(shape.corners, ['corners'], 0);
  return shape.polygons.flatMap((rings, polygon) => rings.flatMap((one, ring) => along(one, ['polygons', polygon, ring], ring)));
}

const listAt = (shape, path) => path.reduce((value, key) => value[key], shape);

/** Moves a handle to a place. One between two corners becomes a corner. */
export function move(shape, handle, to) {
  switch (handle.kind) {
    case 'center': shape.center = to; break;
    case 'radius': shape.radius = Math.min(100_000, Math.max(1, Math.round(distance(shape.center, to)))); break;
    case 'corner': listAt(shape, handle.path)[handle.index] = to; break;
    default: listAt(shape, handle.path).splice(handle.index + 1, 0, to);
  }
}

/** Whether a corner can be taken away. */
export const isRemovable = (shape, handle) => handle.kind === 'corner' && listAt(shape, handle.path).length > leastCorners(shape.kind);

/** Takes a corner away that is removable. */
export const remove = (shape, handle) => listAt(shape, handle.path).splice(handle.index, 1);
