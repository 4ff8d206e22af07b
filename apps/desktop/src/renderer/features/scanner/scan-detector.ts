export interface Key {
  readonly key: string;
  /** The character that the key types on a US keyboard, which most scanners emulate. */
  readonly usKey: string;
  /** Milliseconds. A clock that goes back ends the run of keys. */
  readonly at: number;
  readonly repeat: boolean;
  /** Whether Ctrl, Alt or Meta is pressed. Scanners send control characters this way. */
  readonly chord: boolean;
}

type Detected =
  /** `starts`: the key may be the first of a code. `fast`: it arrives at a scanner's speed, or is a space inside a code. */
  | { readonly kind: 'typed'; readonly starts: boolean; readonly fast: boolean }
  | { readonly kind: 'scan'; readonly code: string; readonly usCode: string }
  /** The end of a code that may have lost characters. */
  | { readonly kind: 'broken' }
  /** Some scanners send two Enters. */
  | { readonly kind: 'repeatedEnd' };

const minLength = 6;
const maxLength = 1024;
/** Scanners send a key every 5 to 40 ms, and a busy computer delays some. The fastest typists need 60 ms for a key. */
const maxMedianMs = 45;
const pauseMs = 75;
/** An interrupted scan continues within this time. */
const interruptionMs = 400;
const minFastLength = 3;
const minPieceLength = 2;

/** Distinguishes scanned codes from typing by the times between the keys. */
export class ScanDetector {
  readonly #prefixes: readonly string[];
  #text = '';
  #usText = '';
  #gaps: number[] = [];
  #last = -Infinity;
  /** The gaps of earlier fast runs that had no end. They may belong to the same code as the current run. */
  #pieces: number[] = [];
  #scannedAt = -Infinity;

  /** @param prefixes which the scanner sends before each code */
  constructor(prefixes: readonly string[] = []) {
    // The longest matching prefix is removed.
    this.#prefixes = prefixes.toSorted((one, other) => other.length - one.length);
  }

  add({ key, usKey, at, repeat, chord }: Key): Detected {
    if (key === 'Shift' || key === 'AltGraph') return this.#createTyped(false);
    const gap = Math.abs(at - this.#last);
    const isEnd = !chord && (key === 'Enter' || key === 'Tab');
    if (isEnd && this.#text === '' && Math.abs(at - this.#scannedAt) <= pauseMs) {
      this.#scannedAt = at;
      return { kind: 'repeatedEnd' };
    }
    // On a US keyboard, a dead key is an ordinary character.
    const text = key === 'Dead' ? usKey : key;
    const isText = !chord && Array.from(text).length === 1;
    const isContinued = gap <= pauseMs && this.#text !== '' && !repeat;
    if (isEnd) return this.#end(isContinued, gap, at);
    if (!isText) return this.#addOther(isContinued, gap, at);
    if (isContinued) this.#gaps.push(gap);
    else this.#start(gap);
    this.#text += text;
    this.#usText += usKey;
    this.#last = at;
    return this.#createTyped(!isContinued && this.#pieces.length === 0);
  }

  #createTyped(starts: boolean): Detected {
    const isSpaceWithin = this.#text.length > 1 && this.#text.endsWith(' ');
    return { kind: 'typed', starts, fast: isSpaceWithin || this.#isPaced(minFastLength) };
  }

  #start(gap: number): void {
    const isPiece =
      gap <= interruptionMs && (this.#pieces.length > 0 || this.#isPaced(minPieceLength));
    this.#pieces = isPiece ? [...this.#pieces, ...this.#gaps, gap] : [];
    this.#text = '';
    this.#usText = '';
    this.#gaps = [];
  }

  #end(isContinued: boolean, gap: number, at: number): Detected {
    if (isContinued) this.#gaps.push(gap);
    const isCode = isContinued && this.#isPaced(minLength) && this.#text.length <= maxLength;
    const isBroken = isContinued && this.#isBroken();
    const [code = '', usCode = ''] = isCode
      ? [this.#text, this.#usText].map((text) => this.#cleanCode(text))
      : [];
    this.#forget();
    if (isBroken) {
      this.#scannedAt = at;
      return { kind: 'broken' };
    }
    if (code === '') return this.#createTyped(false);
    this.#scannedAt = at;
    return { kind: 'scan', code, usCode };
  }

  #addOther(isContinued: boolean, gap: number, at: number): Detected {
    if (isContinued) {
      this.#gaps.push(gap);
      this.#last = at;
      if (this.#isPaced(1)) return this.#createTyped(false);
    }
    this.#forget();
    return this.#createTyped(false);
  }

  #forget(): void {
    this.#text = '';
    this.#usText = '';
    this.#gaps = [];
    this.#pieces = [];
    this.#last = -Infinity;
  }

  #isPaced(min: number): boolean {
    return this.#text.length >= min && median(this.#gaps) <= maxMedianMs;
  }

  /** Whether the keys have the length of a code, and its speed except for a few gaps. */
  #isBroken(): boolean {
    const gaps = [...this.#pieces, ...this.#gaps];
    const fast = gaps.filter((gap) => gap <= maxMedianMs);
    return this.#pieces.length > 0 && gaps.length >= minLength && fast.length >= 0.8 * gaps.length;
  }

  #cleanCode(text: string): string {
    const clean = text.replaceAll(/\p{Cc}/gu, '').trim();
    const prefix = this.#prefixes.find((one) => clean.startsWith(one)) ?? '';
    return clean.slice(prefix.length).trim();
  }
}

function median(gaps: readonly number[]): number {
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? Infinity;
}

export interface FocusTarget {
  readonly takesText: boolean;
  readonly save: () => () => void;
}

export interface Scan {
  readonly code: string;
  /** The code as a US keyboard layout would have typed it, which is usually the same. */
  readonly usCode: string;
  readonly at: number;
}

/** Handles a key and returns whether the event ends here. If a code was typed into a field, the field is restored. */
export function createScanListener(parts: {
  readonly detector: Pick<ScanDetector, 'add'>;
  readonly onScan: (scan: Scan) => void;
  readonly onBroken: () => void;
}): (key: Key, focus: FocusTarget) => boolean {
  const { detector, onScan, onBroken } = parts;
  let restore: (() => void) | undefined;
  const restoreField = (): void => {
    restore?.();
    restore = undefined;
  };
  return (key, focus) => {
    const detected = detector.add(key);
    switch (detected.kind) {
      case 'typed':
        if (detected.starts) restore = focus.save();
        // Outside of text fields, a fast key could press a button, move the focus in a list, or lock the desk by Ctrl+L.
        return detected.fast && (key.chord || !focus.takesText);
      case 'scan':
        restoreField();
        onScan({ code: detected.code, usCode: detected.usCode, at: key.at });
        return true;
      case 'broken':
        restoreField();
        onBroken();
        return true;
      case 'repeatedEnd':
        return true;
    }
  };
}

/** If the same code is scanned again within this time, the scanner has sent it twice. */
const sameMomentMs = 500;

export function isRepeated(
  { code, at }: Pick<Scan, 'code' | 'at'>,
  before: Pick<Scan, 'code' | 'at'> | undefined,
  pending: string | undefined,
): boolean {
  if (before?.code !== code) return false;
  return pending === code || Math.abs(at - before.at) <= sameMomentMs;
}

/** The characters of a US keyboard without and with Shift, by `KeyboardEvent.code`. */
const KEYS: ReadonlyMap<string, string> = new Map([
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => {
    const upper = letter.toUpperCase();
    return [`Key${upper}`, `${letter}${upper}`] as const;
  }),
  ...Array.from(')!@#$%^&*(', (sign, digit) => [`Digit${digit}`, `${digit}${sign}`] as const),
  ...Object.entries({
    ...{ Minus: '-_', Equal: '=+', BracketLeft: '[{', BracketRight: ']}', Backslash: '\\|' },
    ...{ Semicolon: ';:', Quote: '\'"', Backquote: '`~', Comma: ',<', Period: '.>', Slash: '/?' },
  }),
]);

/**
 * Returns the character that a key types on a US keyboard, which most scanners emulate. For an unknown key, it is the
 * typed character.
 */
export function getUsCharacter(event: Pick<KeyboardEvent, 'code' | 'key' | 'shiftKey'>): string {
  const { code, key, shiftKey } = event;
  return KEYS.get(code)?.charAt(shiftKey ? 1 : 0) ?? key;
}
