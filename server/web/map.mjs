// The map that the pages of the dashboard share: the regions of the part that is seen, over pictures of a street map, a background of the server's own,
// or a grid of degrees. Every text from outside is put into the page as text.

import { circumference, turn, unwrapped } from '/web/shape.mjs';

/** The ring of a circle on the globe. */
export function ring([east, north], radius) {
  const [angle, middle] = [radius / (circumference / 2 / Math.PI), north * turn];
  return Array.from({ length: 65 }, (_, index) => {
    const direction = index / 64 * 2 * Math.PI;
    const latitude = Math.asin(Math.sin(middle) * Math.cos(angle) + Math.cos(middle) * Math.sin(angle) * Math.cos(direction));
    const longitude = east * turn
      + Math.atan2(Math.sin(direction) * Math.sin(angle) * Math.cos(middle), Math.cos(angle) - Math.sin(middle) * Math.sin(latitude));
    return [longitude / turn, latitude / turn];
  });
}

/** The coordinates of a geometry, each ring by the shorter way. */
function across({ type, coordinates }) {
  const polygon = (rings) => {
    const outer = unwrapped(rings[0]);
    return [outer, ...rings.slice(1).map((one) => unwrapped(one, outer[0][0]))];
  };
  const made = { LineString: unwrapped, Polygon: polygon, MultiPolygon: (all) => all.map(polygon) }[type];
  return { type, coordinates: made ? made(coordinates) : coordinates };
}

/** What is drawn for a region: a circle as a ring, and a corridor as a line with the pixels that it is wide at zoom 0. */
export function drawn(feature) {
  const { kind, radius = 200, width = 0 } = feature.properties;
  if (kind === 'circle') {
    return { ...feature, geometry: { type: 'Polygon', coordinates: [ring(feature.geometry.coordinates, radius)] } };
  }
  const geometry = across(feature.geometry);
  if (geometry.type !== 'LineString') return { ...feature, geometry };
  const north = geometry.coordinates[0]?.[1] ?? 0;
  return { ...feature, geometry, properties: { ...feature.properties, pixels: width * 512 / (circumference * Math.cos(north * turn)) } };
}

const collection = (features) => ({ type: 'FeatureCollection', features });

/** Lines of longitude and latitude in a part of the map. */
function graticule(bounds) {
  const span = Math.max(bounds.getEast() - bounds.getWest(), bounds.getNorth() - bounds.getSouth());
  const step = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005].find((one) => span / one >= 5) ?? 0.0002;
  const lines = [];
  for (let east = Math.floor(bounds.getWest() / step) * step; east <= bounds.getEast(); east += step) {
    lines.push([[east, -85], [east, 85]]);
  }
  for (let north = Math.max(-85, Math.floor(bounds.getSouth() / step) * step); north <= Math.min(85, bounds.getNorth()); north += step) {
    lines.push([[bounds.getWest(), north], [bounds.getEast(), north]]);
  }
  return collection([{ type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: lines } }]);
}

const wide = ['interpolate', ['exponential', 2], ['zoom'], 0, ['get', 'pixels'], 24, ['*', ['get', 'pixels'], 2 ** 24]];
const isLine = ['==', ['geometry-type'], 'LineString'];
const isArea = ['==', ['geometry-type'], 'Polygon'];

/** A layer, and the names of the colours of its parts. */
const layer = (id, type, source, shades, rest = {}) => ({ id, type, ...(source && { source }), ...rest, metadata: shades });

/** The layers of a source of regions, in a colour. */
const regionLayers = (source, shade, strength) => [
  layer(`${source}-fill`, 'fill', source, { 'fill-color': shade }, { filter: isArea, paint: { 'fill-opacity': strength } }),
  layer(`${source}-edge`, 'line', source, { 'line-color': shade }, { filter: isArea, paint: { 'line-width': 1.5 } }),
  layer(`${source}-way`, 'line', source, { 'line-color': shade },
    { filter: isLine, layout: { 'line-cap': 'round', 'line-join': 'round' }, paint: { 'line-width': wide, 'line-opacity': strength } }),
  layer(`${source}-middle`, 'line', source, { 'line-color': shade }, { filter: isLine, paint: { 'line-width': 1.5 } }),
];

const colors = () => {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(['ground', 'card', 'text', 'soft', 'line', 'accent', 'bad', 'good', 'warn'].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
};

/**
 * A map in an element, whose data say what it shows. `extra`: sources of GeoJSON beside the regions', by name, as [colour, strength].
 * Null where the browser cannot draw one.
 */
export function openMap(element, extra = {}) {
  const { box, tiles, attribution, background, app } = element.dataset;
  const sources = { grid: { type: 'geojson', data: collection([]) }, regions: { type: 'geojson', data: collection([]) } };
  const layers = [layer('ground', 'background', null, { 'background-color': 'ground' })];
  if (tiles) {
    // The worker that fetches them has no address that a relative one could follow.
    const url = new URL(tiles, location.href).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
    sources.tiles = { type: 'raster', tiles: [url], tileSize: 256, attribution };
    layers.push(layer('tiles', 'raster', 'tiles', {}));
  }
  if (background) {
    sources.background = { type: 'geojson', data: new URL('/web/map/background', location.href).href };
    layers.push(
      layer('background-fill', 'fill', 'background', { 'fill-color': 'line' }, { filter: isArea, paint: { 'fill-opacity': 0.5 } }),
      layer('background-line', 'line', 'background', { 'line-color': 'soft' }, { paint: { 'line-width': 0.8 } }),
    );
  }
  layers.push(layer('grid', 'line', 'grid', { 'line-color': 'line' }), ...regionLayers('regions', 'accent', 0.25));
  for (const [name, [shade, strength]] of Object.entries(extra)) {
    sources[name] = { type: 'geojson', data: collection([]) };
    layers.push(...regionLayers(name, shade, strength));
  }
  const shades = colors();
  for (const one of layers) {
    one.paint = { ...one.paint, ...Object.fromEntries(Object.entries(one.metadata).map(([part, name]) => [part, shades[name]])) };
  }
  let map;
  try {
    map = new maplibregl.Map({
      container: element, style: { version: 8, sources, layers }, attributionControl: attribution ? { compact: false } : false,
      dragRotate: false, pitchWithRotate: false, touchPitch: false, maxPitch: 0, fadeDuration: 0,
    });
  } catch {
    return null;
  }
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new maplibregl.NavigationControl({ showCompass: false }));
  map.addControl(new maplibregl.ScaleControl());
  const fit = (text) => {
    const [west, south, east, north] = text.split(' ').map(Number);
    map.fitBounds([[west, south], [east, north]], { padding: 40, maxZoom: 17, animate: false });
  };
  if (box) fit(box); else map.jumpTo({ center: [4.9, 52.37], zoom: 3 });

  let clusters = [];
  /** Squares with the number of regions in them: a click goes there. */
  function showClusters(features) {
    for (const one of clusters) one.remove();
    clusters = features.map((feature) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'cluster';
      button.textContent = feature.properties.count;
      button.addEventListener('click', (event) => {
        event.stopPropagation();
        fit(feature.properties.box);
      });
      const marker = new maplibregl.Marker({ element: button }).setLngLat(feature.geometry.coordinates).addTo(map);
      button.removeAttribute('aria-label');
      return marker;
    });
  }

  let found = [];
  let hidden = null;
  /** All but the one that is edited, which is drawn elsewhere. */
  const showRegions = () => map.getSource('regions').setData(collection(found.filter((feature) => feature.properties.id !== hidden)));

  let asked = 0;
  /** Loads the regions of the part that is seen. */
  async function load() {
    const mine = ++asked;
    const bounds = map.getBounds();
    map.getSource('grid').setData(tiles ? collection([]) : graticule(bounds));
    const query = new URLSearchParams({
      west: bounds.getWest(), south: Math.max(-90, bounds.getSouth()), east: bounds.getEast(), north: Math.min(90, bounds.getNorth()),
    });
    const answer = await fetch(`/dashboard/${app}/map/regions?${query}`);
    if (!answer.ok || mine !== asked) return;
    const { features } = await answer.json();
    if (mine !== asked) return;
    const isCluster = (feature) => feature.properties.kind === 'cluster';
    found = features.filter((feature) => !isCluster(feature)).map(drawn);
    showRegions();
    showClusters(features.filter(isCluster));
    element.dataset.regions = features.length;
  }

  const view = {
    map, fit, load,
    hide: (id) => {
      hidden = id;
      showRegions();
    },
    set: (source, features) => map.getSource(source).setData(collection(features.map(drawn))),
    /** The ids of the regions under a point of the screen, the smallest first. */
    at: (point) => [...new Set(map.queryRenderedFeatures([[point.x - 4, point.y - 4], [point.x + 4, point.y + 4]],
      { layers: ['regions-fill', 'regions-edge', 'regions-way', 'regions-middle'] }).map((found) => found.properties.id))],
    ready: new Promise((resolve) => { map.once('load', resolve); }),
  };
  map.on('moveend', () => map.isStyleLoaded() && load());
  view.ready.then(load);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    const now = colors();
    for (const one of layers) {
      for (const [part, name] of Object.entries(one.metadata)) map.setPaintProperty(one.id, part, now[name]);
    }
  });
  return view;
}
