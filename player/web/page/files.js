// SPDX-License-Identifier: MIT
// Files to open: dropped, chosen or from the web. Nothing is read until it is needed.

/** Reports how much was read and how much there is, if that is known. */
/** @typedef {(read: number, total: number) => void} OnRead */
/** @typedef {{name: string, read: (signal: AbortSignal, onRead: OnRead) => Promise<Uint8Array>}} SourceFile */

const MAX_FOLDER_ENTRIES = 20_000;

/** @param {string} name */
const baseName = (name) => name.slice(name.lastIndexOf('/') + 1);
/** @param {string} name */
const folderOf = (name) => name.slice(0, name.lastIndexOf('/') + 1);
/** @param {string} name */
const isHidden = (name) => name.split('/').some((part) => part.startsWith('.'));

// build_site.py takes these from the table of formats.
const CHARACTERS = '@character_extensions@'.split(' ');
const COMPANIONS = '@companion_extensions@'.split(' ');

/**
 * @param {string} name
 * @param {string[]} extensions
 */
function endsWith(name, extensions) {
  return extensions.some((extension) => name.toLowerCase().endsWith(extension));
}

/**
 * Returns whether a file can be opened, by its name.
 *
 * @param {string} name
 */
export function isCharacter(name) {
  if (/(\.(rig|markers)|_tex(_\d+)?|(^|\/)texture)\.json$|\.atlas$/i.test(name)) return false;
  return !isHidden(name) && endsWith(name, CHARACTERS);
}

/**
 * Returns whether a file can belong to a character.
 *
 * @param {string} name
 */
export function isCompanion(name) {
  return !isHidden(name) && endsWith(name, [...COMPANIONS, '.rig.json', '.markers.json']);
}

/**
 * Returns the files of a file input.
 *
 * @param {Iterable<File>} files
 * @returns {SourceFile[]}
 */
export function chosenFiles(files) {
  return Array.from(files, (file) => localFile(file.webkitRelativePath || file.name, file));
}

/**
 * @param {string} name
 * @param {File} file
 * @returns {SourceFile}
 */
function localFile(name, file) {
  return {
    name,
    async read(signal, onRead) {
      onRead(0, file.size);
      const bytes = new Uint8Array(await file.arrayBuffer());
      signal.throwIfAborted();
      onRead(bytes.length, bytes.length);
      return bytes;
    },
  };
}

/**
 * Returns dropped files and the contents of dropped folders.
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<SourceFile[]>}
 */
export function droppedFiles(transfer) {
  // The list of items is empty after the event, so entries are taken before anything waits.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const plain = chosenFiles(transfer.files);
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve(plain);
  return filesIn(entries.filter((entry) => entry !== null));
}

/**
 * @param {(FileSystemEntry | null)[]} entries
 * @returns {Promise<SourceFile[]>}
 */
async function filesIn(entries) {
  /** @type {SourceFile[]} */
  const files = [];
  const waiting = entries.slice();
  while (waiting.length > 0 && files.length < MAX_FOLDER_ENTRIES) {
    const entry = waiting.pop();
    if (!entry) continue;
    const path = entry.fullPath.replace(/^\//, '');
    if (entry.isDirectory) {
      waiting.push(...(await entriesIn(/** @type {FileSystemDirectoryEntry} */ (entry))));
    } else if (isCharacter(path) || isCompanion(path)) {
      const file = await new Promise((resolve, reject) => {
        /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject);
      });
      files.push(localFile(path, file));
    }
  }
  return files;
}

/**
 * @param {FileSystemDirectoryEntry} folder
 * @returns {Promise<FileSystemEntry[]>}
 */
async function entriesIn(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const all = [];
  while (all.length < MAX_FOLDER_ENTRIES) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all;
}

/**
 * Returns files on the web. Those below the folder of the first are named relative to it.
 *
 * @param {string[]} addresses
 * @returns {SourceFile[]}
 */
export function remoteFiles(addresses) {
  const urls = addresses.map((address) => new URL(address, document.baseURI));
  const folder = new URL('.', urls[0]).href;
  return urls.map((url) => {
    const path = url.href.startsWith(folder) ? url.href.slice(folder.length) : baseName(url.pathname);
    return {name: decoded(path.replace(/[?#].*$/, '')), read: (signal, onRead) => download(url, signal, onRead)};
  });
}

/**
 * Returns the file that a character on the web names.
 *
 * @param {string} address Of the character.
 * @param {string} path
 * @returns {SourceFile | undefined} Nothing for paths that leave the character's folder.
 */
export function remoteNamed(address, path) {
  const folder = new URL('.', new URL(address, document.baseURI));
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), folder);
  if (!url.href.startsWith(folder.href)) return undefined;
  return {name: path, read: (signal, onRead) => download(url, signal, onRead)};
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * @param {URL} url
 * @param {AbortSignal} signal
 * @param {OnRead} onRead
 */
async function download(url, signal, onRead) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, {signal});
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error(`${url.href} cannot be reached. Another site must allow this page to read its files (CORS).`);
  }
  if (!response.ok || !response.body) throw new Error(`${url.href}: the server answered ${response.status}.`);
  // With an encoding such as gzip, the length is that of the compressed bytes.
  const isPlain = !response.headers.has('Content-Encoding');
  const total = isPlain ? Number(response.headers.get('Content-Length') ?? 0) : 0;
  const reader = response.body.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    onRead(length, total);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Returns the characters among files, sorted by name.
 *
 * @param {SourceFile[]} files
 */
export function charactersIn(files) {
  const order = new Intl.Collator('en', {numeric: true});
  return files.filter((file) => isCharacter(file.name)).sort((a, b) => order.compare(a.name, b.name));
}

/**
 * Returns the files that a character cannot name, and therefore are passed with it: markers, texture atlases, and for
 * Unreal meshes everything. Their names are relative to the character's folder, or without a folder if they are elsewhere.
 *
 * @param {SourceFile} character
 * @param {SourceFile[]} files
 * @returns {SourceFile[]}
 */
export function unnamedCompanions(character, files) {
  const folder = folderOf(character.name);
  const isMesh = /\.pskx?$/i.test(character.name);
  /** @type {Map<string, SourceFile>} */
  const named = new Map();
  // Files below the character's folder win over files of the same name elsewhere.
  const isBelow = (/** @type {SourceFile} */ file) => file.name.startsWith(folder);
  for (const file of [...files.filter(isBelow), ...files.filter((file) => !isBelow(file))]) {
    if (!isCompanion(file.name) || !(isMesh || /\.(json|atlas)$/i.test(file.name))) continue;
    const name = isBelow(file) ? file.name.slice(folder.length) : baseName(file.name);
    if (!named.has(name)) named.set(name, {...file, name});
  }
  return [...named.values()];
}

/**
 * Returns the file that a character names. Prefers the exact path, then any file of that name, in any case, since
 * people choose images from other folders and some formats come from systems that ignore case.
 *
 * @param {SourceFile} character
 * @param {SourceFile[]} files
 * @param {string} path Relative to the character's folder.
 * @returns {SourceFile | undefined}
 */
export function findNamed(character, files, path) {
  const exact = folderOf(character.name) + path;
  const name = baseName(path).toLowerCase();
  return files.find((file) => file.name === exact)
    ?? files.find((file) => file.name.toLowerCase() === exact.toLowerCase())
    ?? files.find((file) => baseName(file.name).toLowerCase() === name);
}
