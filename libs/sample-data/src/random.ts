/**
 * The sfc32 generator (Chris Doty-Humphrey, PractRand), seeded with a hash of numbers. Gives the same values on every
 * machine.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(...words: readonly number[]) {
    this.#a = hash(0x9e3779b9, words);
    this.#b = hash(0x243f6a88, words);
    this.#c = hash(0xb7e15162, words);
    for (let round = 0; round < 12; round += 1) this.nextUint32();
  }

  nextUint32(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** Returns a number in [0, 1). */
  nextFloat(): number {
    return this.nextUint32() / 0x1_0000_0000;
  }

  /** Returns an integer from `lowest` to `highest`, inclusive. */
  nextInteger(lowest: number, highest: number): number {
    return lowest + Math.floor(this.nextFloat() * (highest - lowest + 1));
  }

  nextBetween(lowest: number, highest: number): number {
    return lowest + this.nextFloat() * (highest - lowest);
  }

  nextNearMiddle(lowest: number, highest: number): number {
    return (
      lowest + ((this.nextFloat() + this.nextFloat() + this.nextFloat()) / 3) * (highest - lowest)
    );
  }

  nextBoolean(share: number): boolean {
    return this.nextFloat() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.nextFloat() * items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  pickWeighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let remaining = this.nextFloat() * items.reduce((sum, item) => sum + item.weight, 0);
    let last: T | undefined;
    for (const item of items) {
      last = item;
      remaining -= item.weight;
      if (remaining < 0) break;
    }
    if (last === undefined) throw new RangeError('nothing to pick from');
    return last;
  }

  /** Returns `count` different items, in list order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const chosen: T[] = [];
    let left = Math.min(count, items.length);
    items.forEach((item, index) => {
      if (this.nextFloat() * (items.length - index) < left) {
        chosen.push(item);
        left -= 1;
      }
    });
    return chosen;
  }

  nextUuid(): string {
    const a = toHex32(this.nextUint32());
    const b = toHex32((this.nextUint32() & 0xffff0fff) | 0x4000);
    const c = toHex32((this.nextUint32() & 0x3fffffff) | 0x80000000);
    const d = toHex32(this.nextUint32());
    return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
  }

  nextDigits(count: number): string {
    let text = '';
    while (text.length < count) text += String(this.nextUint32() % 10);
    return text;
  }
}

/** Splits a number, which may be larger than 32 bits, negative or a fraction, into two 32-bit words. */
export function toWords(value: number): readonly [number, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return [view.getUint32(0), view.getUint32(4)];
}

/** Hashes a text to one 32-bit word (FNV-1a). */
export function hashText(text: string): number {
  let word = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    word = Math.imul(word ^ text.charCodeAt(index), 0x01000193);
  }
  return word >>> 0;
}

/** Mixes 32-bit words as MurmurHash3 does. */
function hash(start: number, words: readonly number[]): number {
  let state = start;
  for (const word of words) {
    let mixed = Math.imul(word, 0xcc9e2d51);
    mixed = (mixed << 15) | (mixed >>> 17);
    state ^= Math.imul(mixed, 0x1b873593);
    state = (state << 13) | (state >>> 19);
    state = (Math.imul(state, 5) + 0xe6546b64) | 0;
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

function toHex32(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
