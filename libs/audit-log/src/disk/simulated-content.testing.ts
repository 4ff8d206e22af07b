import type { Dice } from '../testing/dice.testing.ts';

const sectors = [512, 64, 4096];

/** The bytes of a file: as processes see them, and as they are on the medium. */
export class SimulatedContent {
  #seen: Buffer;
  #size: number;
  #kept: Buffer;
  #keptSize: number;
  /** The system would write from here on. What was lost before it (by a failed sync) is never written again. */
  #dirtyFrom: number;
  #isCut = false;

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#seen = Buffer.from(bytes);
    this.#kept = Buffer.from(bytes);
    this.#size = bytes.length;
    this.#keptSize = bytes.length;
    this.#dirtyFrom = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  get isDirty(): boolean {
    return this.#isCut || this.#dirtyFrom < this.#size;
  }

  read(at: number, length: number): Buffer {
    return Buffer.from(this.#seen.subarray(at, Math.min(at + length, this.#size)));
  }

  write(bytes: Uint8Array, at: number): void {
    const size = Math.max(this.#size, at + bytes.length);
    this.#seen = withRoom(this.#seen, this.#size, size);
    this.#seen.set(bytes, at);
    this.#size = size;
    this.#dirtyFrom = Math.min(this.#dirtyFrom, at);
  }

  truncate(size: number): void {
    this.#seen = withRoom(this.#seen, this.#size, size);
    this.#size = size;
    this.#dirtyFrom = Math.min(this.#dirtyFrom, size);
    this.#isCut = true;
  }

  sync(): void {
    this.#keep(this.#seen.subarray(this.#dirtyFrom, this.#size), this.#dirtyFrom, this.#size);
  }

  /** Part of what was not synced reaches the medium or nothing of it, and it is never tried again. */
  failSync(dice: Dice): void {
    this.#keepSome(dice);
    if (dice(2) === 0) {
      this.#forgetCache();
    }
  }

  /** The power goes: what was not synced is lost, torn at a byte, kept by sectors, or kept. */
  cutPower(dice: Dice): void {
    if (this.isDirty) {
      this.#keepSome(dice);
    }
    this.#forgetCache();
  }

  flipBit(bit: number): void {
    const at = Math.floor(bit / 8);
    for (const bytes of [this.#seen, this.#kept]) {
      if (at < bytes.length) {
        bytes[at] = (bytes[at] as number) ^ (1 << (bit % 8));
      }
    }
  }

  #keepSome(dice: Dice): void {
    const [from, size] = [this.#dirtyFrom, this.#size];
    const fresh = this.#seen.subarray(from, size);
    const way = dice(5);
    // What was there before stays there where nothing was written in its place.
    const fewest = this.#isCut ? 0 : this.#keptSize;
    const old = (most: number): Buffer => {
      const bytes = Buffer.alloc(most - from);
      this.#kept.copy(bytes, 0, from, Math.max(from, Math.min(this.#keptSize, most)));
      return bytes;
    };
    if (way === 0) {
      this.#keep(Buffer.from(this.#kept.subarray(from, this.#keptSize)), from, this.#keptSize);
    } else if (way === 1) {
      this.#keep(fresh, from, size);
    } else if (way === 2) {
      const torn = dice(fresh.length + 1);
      const most = Math.max(fewest, from + torn);
      const bytes = old(most);
      bytes.set(fresh.subarray(0, torn));
      this.#keep(bytes, from, most);
    } else {
      // The length is written apart from the data: what it covers and nobody wrote reads as zeros.
      const most = way === 3 ? size : Math.max(fewest, from + dice(fresh.length + 1));
      const bytes = old(most);
      const sector = sectors[dice(sectors.length)] as number;
      for (let at = from - (from % sector); at < most; at += sector) {
        if (dice(2) === 0) {
          const [start, end] = [Math.max(at, from), Math.min(at + sector, most)];
          bytes.set(this.#seen.subarray(start, end), start - from);
        }
      }
      this.#keep(bytes, from, most);
    }
  }

  #keep(bytes: Uint8Array, from: number, size: number): void {
    this.#kept = withRoom(this.#kept, Math.min(this.#keptSize, from), size);
    this.#kept.set(bytes, from);
    this.#keptSize = size;
    this.#dirtyFrom = this.#size;
    this.#isCut = false;
  }

  #forgetCache(): void {
    this.#seen = Buffer.from(this.#kept.subarray(0, this.#keptSize));
    this.#size = this.#keptSize;
    this.#dirtyFrom = this.#size;
  }
}

/** The first `used` bytes, and zeros up to at least `size`. */
function withRoom(bytes: Buffer, used: number, size: number): Buffer {
  if (size <= bytes.length) {
    return used < size ? bytes.fill(0, used, size) : bytes;
  }
  const larger = Buffer.alloc(Math.max(size, 2 * bytes.length));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
