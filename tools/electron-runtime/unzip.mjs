import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const symbolicLink = 0o120000;

/** `place` gives undefined for what to leave out. Throws on a cut-off zip, on zip64 and on a path that leaves the folder. */
export function unzip(file, folder, place) {
  const zip = readFileSync(file);
  for (const entry of entriesOf(zip)) {
    const wanted = entry.name.endsWith('/') ? undefined : place(entry.name);
    if (wanted !== undefined) {
      const target = resolve(folder, wanted);
      if (!target.startsWith(resolve(folder) + sep)) {
        throw new Error(`${file} names a path outside its folder.`);
      }
      write(target, contentOf(zip, entry), entry.mode);
    }
  }
}

function* entriesOf(zip) {
  let at = zip.length - 22;
  while (at >= 0 && zip.readUInt32LE(at) !== endOfDirectory) at -= 1;
  if (at < 0) throw new Error('The zip file is cut off: it has no directory.');
  const count = zip.readUInt16LE(at + 10);
  let next = zip.readUInt32LE(at + 16);
  if (count === 0xffff || next === 0xffffffff) throw new Error('The zip file is a zip64.');
  for (let index = 0; index < count; index += 1) {
    if (zip.readUInt32LE(next) !== directoryEntry) throw new Error('The zip directory is broken.');
    const nameLength = zip.readUInt16LE(next + 28);
    yield {
      method: zip.readUInt16LE(next + 10),
      packed: zip.readUInt32LE(next + 20),
      mode: zip.readUInt32LE(next + 38) >>> 16,
      at: zip.readUInt32LE(next + 42),
      name: zip.toString('utf8', next + 46, next + 46 + nameLength),
    };
    next += 46 + nameLength + zip.readUInt16LE(next + 30) + zip.readUInt16LE(next + 32);
  }
}

function contentOf(zip, entry) {
  const start = entry.at + 30 + zip.readUInt16LE(entry.at + 26) + zip.readUInt16LE(entry.at + 28);
  const packed = zip.subarray(start, start + entry.packed);
  return entry.method === 0 ? packed : inflateRawSync(packed);
}

function write(target, content, mode) {
  mkdirSync(dirname(target), { recursive: true });
  if ((mode & 0o170000) === symbolicLink) {
    symlinkSync(content.toString(), target);
  } else {
    writeFileSync(target, content);
    if ((mode & 0o111) !== 0) chmodSync(target, 0o755);
  }
}
