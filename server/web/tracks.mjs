// Walks out of files: GPX, and JSON as the API takes it.

/** The fixes of a GPX file: those of its track points that have a time. */
export function gpxFixes(text) {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  return [...document.getElementsByTagNameNS('*', 'trkpt')].map((point) => ({
    time: point.getElementsByTagNameNS('*', 'time')[0]?.textContent.trim(),
    latitude: Number(point.getAttribute('lat')), longitude: Number(point.getAttribute('lon')),
  })).filter((fix) => fix.time);
}

/** The walks of a file: one of a GPX file, those of an array, or one in each line of a JSON file. */
export async function walks(file) {
  const text = await file.text();
  if (text.trimStart().startsWith('<')) {
    const fixes = gpxFixes(text);
    if (!fixes.length) throw new Error(`${file.name}: <trkpt> <time>?`);
    return [{ person: file.name, fixes }];
  }
  try {
    const found = text.trimStart().startsWith('[') ? JSON.parse(text) : text.split('\n').filter((line) => line.trim()).map((line) => JSON.parse(line));
    return found.map((walk, index) => ({ person: `${file.name} ${index + 1}`, ...walk }));
  } catch (error) {
    throw new Error(`${file.name}: ${error.message}`);
  }
}
