const bytesOfUuid = 16;

const lengthOfUuid = 36;
/** The first 44 bits of a UUID and a position fit into a number. */
const mostPlaces = 512;

/** Sorts lower-case UUIDs without duplicates, as 22 base64url characters each; undefined below two, or if one is no UUID. */
export function packSortedUuids(uuids: readonly string[]): string | undefined {
  const bytes = known.get(uuids) ?? bytesOf(uuids);
  const order = bytes && (orderOf(bytes) ?? orderByTexts(bytes));
  if (bytes === undefined || order === undefined || order.length < 2) {
    return undefined;
  }
  const sorted = Buffer.allocUnsafe(bytesOfUuid * order.length);
  let to = 0;
  for (const place of order) {
    for (let at = bytesOfUuid * place; at < bytesOfUuid * (place + 1); at += 1) {
      sorted[to] = bytes[at] as number;
      to += 1;
    }
  }
  return sorted.toString('base64url');
}

const hyphen = 0x2d;
const digitValues = new Int8Array(256).fill(-1);
const digits = Buffer.from('0123456789abcdef');
digits.forEach((character, value) => {
  digitValues[character] = value;
});

function bytesOf(uuids: readonly string[]): Buffer | undefined {
  const texts = Buffer.from(uuids.join(''));
  if (texts.length !== lengthOfUuid * uuids.length || uuids.some(isOtherLength)) {
    return undefined;
  }
  const bytes = Buffer.allocUnsafe(bytesOfUuid * uuids.length);
  let [to, all] = [0, 0];
  for (let began = 0; began < texts.length; began += lengthOfUuid) {
    for (let at = 0; at < lengthOfUuid; at += 2) {
      if (at === 8 || at === 13 || at === 18 || at === 23) {
        all |= texts[began + at] === hyphen ? 0 : -1;
        at += 1;
      }
      const high = digitValues[texts[began + at] as number] as number;
      const low = digitValues[texts[began + at + 1] as number] as number;
      all |= high | low;
      bytes[to] = (high << 4) | low;
      to += 1;
    }
  }
  // A negative value makes the result negative.
  return all < 0 ? undefined : bytes;
}

const isOtherLength = (one: string): boolean => one.length !== lengthOfUuid;

/** Sorts positions as numbers, since a page has hundreds; undefined if there are too many, or two UUIDs share 44 bits. */
function orderOf(bytes: Buffer): number[] | undefined {
  const count = bytes.length / bytesOfUuid;
  if (count > mostPlaces) {
    return undefined;
  }
  const keys = new Float64Array(count);
  for (let place = 0; place < count; place += 1) {
    const at = bytesOfUuid * place;
    const bits = bytes.readUInt32BE(at) * 2 ** 12 + (bytes.readUInt16BE(at + 4) >> 4);
    keys[place] = bits * mostPlaces + place;
  }
  keys.sort();
  const order: number[] = [];
  let before = -1;
  for (const key of keys) {
    const bits = Math.floor(key / mostPlaces);
    if (bits === before) {
      return undefined;
    }
    before = bits;
    order.push(key % mostPlaces);
  }
  return order;
}

/** The same for any UUIDs: their bytes as text have the same order. */
function orderByTexts(bytes: Buffer): number[] {
  const places = new Map<string, number>();
  for (let at = 0; at < bytes.length; at += bytesOfUuid) {
    places.set(bytes.toString('latin1', at, at + bytesOfUuid), at / bytesOfUuid);
  }
  return [...places.keys()].sort().map((key) => places.get(key) as number);
}

/** The ids in a list, packed or not; none in anything else. */
export function idsOf(list: unknown): readonly string[] {
  if (typeof list !== 'string') {
    return Array.isArray(list) ? (list as unknown[]).filter((id) => typeof id === 'string') : [];
  }
  const bytes = Buffer.from(list, 'base64url');
  const isPacked = bytes.length % bytesOfUuid === 0 && bytes.toString('base64url') === list;
  return isPacked ? textsOf(bytes) : [];
}

const known = new WeakMap<readonly string[], Buffer>();

/** UUIDs of these bytes, which packing reads instead of the texts. */
export function uuidsOf(bytes: Buffer): readonly string[] {
  // Frozen, so that they keep matching the bytes.
  const uuids = Object.freeze(textsOf(bytes));
  known.set(uuids, Buffer.from(bytes));
  return uuids;
}

/** Slices of one text take half the time of single texts. */
function textsOf(bytes: Buffer): string[] {
  const texts = Buffer.allocUnsafe((lengthOfUuid / bytesOfUuid) * bytes.length);
  let to = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const place = at % bytesOfUuid;
    if (place === 4 || place === 6 || place === 8 || place === 10) {
      texts[to] = hyphen;
      to += 1;
    }
    const byte = bytes[at] as number;
    texts[to] = digits[byte >> 4] as number;
    texts[to + 1] = digits[byte & 15] as number;
    to += 2;
  }
  const text = texts.toString('latin1');
  const uuids: string[] = [];
  for (let at = 0; at < text.length; at += lengthOfUuid) {
    uuids.push(text.slice(at, at + lengthOfUuid));
  }
  return uuids;
}
