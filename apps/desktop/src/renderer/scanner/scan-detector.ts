/** A keydown event. */
export interface Key {
  /** As the browser names it: one character, or a word such as Enter. */
  readonly key: string;
  /** Milliseconds, by any clock; a clock that is set back ends what was under way. */
  readonly at: number;
  /** The key is held down. */
  readonly repeat: boolean;
  /** With Ctrl, Alt or Meta: no text. Scanners send control characters so. */
  readonly chord: boolean;
}

/** What a key was found to be. */
type Detected =
  /** Part of typing, or undecided yet. `fast` from the third key at a scanner's pace on, and for a space, that presses. */
  | { readonly kind: 'typed'; readonly starts: boolean; readonly fast: boolean }
  /** The end of a whole code. */
  | { readonly kind: 'scan'; readonly code: string }
  /** The end of a code with gaps: characters may be missing. */
  | { readonly kind: 'broken' }
  /** One more Enter or Tab right after a code: some scanners send two. */
  | { readonly kind: 'repeatedEnd' };

/** Characters of a code. */
const minLength = 6;
const maxLength = 1024;
/**
 * Scanners send a key every 5 to 40 ms, on top of which a busy computer adds some; the fastest typists of all are at
 * 60 ms and more. The middle gap tells the two apart, and the pause bounds each single one.
 */
const maxMedianMs = 45;
const pauseMs = 75;
/** A scanner that pauses within a code goes on within this; nobody puts a scanner down and types so soon. */
const interruptionMs = 400;
const fastFrom = 3;
const pieceFrom = 2;

/** Tells a scanner's codes from a person's typing, by nothing but the keys and their times. One for each page. */
export class ScanDetector {
  #prefixes: readonly string[] = [];
  #text = '';
  #gaps: number[] = [];
  #last = -Infinity;
  /** The gaps of what came shortly before at a scanner's pace and had no end: the two may be one code. */
  #pieces: number[] = [];
  #scannedAt = -Infinity;

  /** The prefixes that the scanners here put before each code. */
  usePrefixes(prefixes: readonly string[]): void {
    this.#prefixes = prefixes.toSorted((one, other) => other.length - one.length);
  }

  add({ key, at, repeat, chord }: Key): Detected {
    if (key === 'Shift' || key === 'AltGraph') return this.#typed(false);
    const gap = Math.abs(at - this.#last);
    const isEnd = !chord && (key === 'Enter' || key === 'Tab');
    if (isEnd && this.#text === '' && Math.abs(at - this.#scannedAt) <= pauseMs) {
      this.#scannedAt = at;
      return { kind: 'repeatedEnd' };
    }
    const isText = !chord && Array.from(key).length === 1;
    const goesOn = gap <= pauseMs && this.#text !== '' && !repeat;
    if (isEnd) return this.#end(goesOn, gap, at);
    if (!isText) return this.#other(goesOn, gap, at);
    if (goesOn) this.#gaps.push(gap);
    else this.#start(gap);
    this.#text += key;
    this.#last = at;
    return this.#typed(!goesOn && this.#pieces.length === 0);
  }

  #typed(starts: boolean): Detected {
    const isSpaceWithin = this.#text.length > 1 && this.#text.endsWith(' ');
    return { kind: 'typed', starts, fast: isSpaceWithin || this.#isPaced(fastFrom) };
  }

  #start(gap: number): void {
    const isPiece = gap <= interruptionMs && (this.#pieces.length > 0 || this.#isPaced(pieceFrom));
    this.#pieces = isPiece ? [...this.#pieces, ...this.#gaps, gap] : [];
    this.#text = '';
    this.#gaps = [];
  }

  #end(goesOn: boolean, gap: number, at: number): Detected {
    if (goesOn) this.#gaps.push(gap);
    const isCode = goesOn && this.#isPaced(minLength) && this.#text.length <= maxLength;
    const isBroken = goesOn && this.#isBroken();
    const code = isCode ? this.#codeOf(this.#text) : '';
    this.#forget();
    if (isBroken) {
      this.#scannedAt = at;
      return { kind: 'broken' };
    }
    if (code === '') return this.#typed(false);
    this.#scannedAt = at;
    return { kind: 'scan', code };
  }

  /** A control character within a code is no text and no end; any other key ends the run. */
  #other(goesOn: boolean, gap: number, at: number): Detected {
    if (goesOn) {
      this.#gaps.push(gap);
      this.#last = at;
      if (this.#isPaced(1)) return this.#typed(false);
    }
    this.#forget();
    return this.#typed(false);
  }

  #forget(): void {
    this.#text = '';
    this.#gaps = [];
    this.#pieces = [];
    this.#last = -Infinity;
  }

  /** Whether the run has so many characters, at a scanner's pace. */
  #isPaced(min: number): boolean {
    return this.#text.length >= min && median(this.#gaps) <= maxMedianMs;
  }

  /** Whether run and pieces are a code by their length, and by a pace that was held up at a few places only. */
  #isBroken(): boolean {
    const gaps = [...this.#pieces, ...this.#gaps];
    const fast = gaps.filter((gap) => gap <= maxMedianMs);
    return this.#pieces.length > 0 && gaps.length >= minLength && fast.length >= 0.8 * gaps.length;
  }

  #codeOf(text: string): string {
    const clean = text.replaceAll(/\p{Cc}/gu, '').trim();
    const prefix = this.#prefixes.find((one) => clean.startsWith(one)) ?? '';
    return clean.slice(prefix.length).trim();
  }
}

/** The upper of the two in the middle; without any, none is small enough. */
function median(gaps: readonly number[]): number {
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? Infinity;
}
