// Opens files with a WebAssembly module and prints what it finds, one line of JSON for each file.
// node formats.mjs SITE MODULE < LIST, where each line of LIST is a JSON array of paths: the file to open, a folder that
// holds it and all files that belong to it, and those files relative to the folder.
import {readFileSync} from 'node:fs';
import {createHash} from 'node:crypto';
import {createInterface} from 'node:readline';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const [site, file] = process.argv.slice(2);
const {Instance} = await import(pathToFileURL(join(site, 'module.js')).href);
const module = new WebAssembly.Module(readFileSync(join(site, file)));

/** Returns the diagnostics, and hashes of the images' pixels and of all poses. */
function open(folder, names) {
  const instance = new Instance(module);
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    instance.callWithText('web_add_file', name, instance.copyIn(bytes), bytes.length);
  }
  const character = instance.callWithText('web_open', names[0], 0);
  const result = instance.result();
  if (character === 0) return {error: result.error.id, message: result.error.message, missing: result.missing};
  const images = result.images.map(({width, height}, i) => {
    const start = instance.call('web_image_pixels', character, i) >>> 0;
    if (start === 0) return null;
    const pixels = instance.bytes.subarray(start, start + 4 * width * height);
    return `${width}x${height} ${createHash('md5').update(pixels).digest('hex')}`;
  });
  return {
    format: result.format, diagnostics: result.diagnostics.map(({id}) => id), missing: result.missing, images,
    markers: result.clips.reduce((sum, {markers}) => sum + markers.length, 0),
    poses: result.clips.length === 0 ? '' : BigInt.asUintN(64, instance.call('web_pose_hash', character)).toString(16),
    megabytes: Math.round(instance.bytes.length / 1e5) / 10,
  };
}

for await (const line of createInterface({input: process.stdin})) {
  const [folder, ...names] = JSON.parse(line);
  let found;
  try {
    found = open(folder, names);
  } catch (error) {
    found = {trap: String(error)};
  }
  console.log(JSON.stringify(found));
}
