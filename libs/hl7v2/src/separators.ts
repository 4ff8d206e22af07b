import type { Decode } from './charset.ts';

/** The separators that MSH-1 and MSH-2 declare. A separator that MSH-2 omits is an empty string. */
export interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

const PUNCTUATION = /^[!-/:-@[-`{-~]{3,6}$/u;

/**
 * Reads MSH-1 and MSH-2.
 * @returns `undefined` unless MSH-2 has 2 to 5 punctuation characters that differ from each other and from the field
 * separator
 */
export function parseSeparators(field: string, encoding: string): Separators | undefined {
  const all = `${field}${encoding}`;
  if (!PUNCTUATION.test(all) || new Set(all).size < all.length) {
    return undefined;
  }
  const [component = '', repetition = '', escape = '', subcomponent = ''] = encoding;
  return { field, component, repetition, escape, subcomponent };
}

/** Upper limits for the lines that `\.sp\` adds and the spaces that `\.sk\` adds. */
const MOST_LINES = 20;

/**
 * Replaces escape sequences, after the text was split at its separators. Unknown sequences stay. The result has no
 * control characters except line breaks and tabs.
 */
export function unescape(raw: string, separators: Separators, decode: Decode): string {
  const { escape } = separators;
  if (escape === '' || !raw.includes(escape)) {
    return toPlainText(raw);
  }
  const parts = raw.split(escape);
  let text = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 1) {
    const code = parts[at] ?? '';
    at += 1;
    const after = parts[at];
    text +=
      after === undefined
        ? `${escape}${code}`
        : `${decodeEscape(code, separators, decode) ?? `${escape}${code}${escape}`}${after}`;
  }
  return toPlainText(text);
}

/** Turns a carriage return into a line break and any other control character, such as a printer code, into a space. */
function toPlainText(decoded: string): string {
  return decoded.replace(/\r\n?/gu, '\n').replace(/[^\P{Cc}\n\t]/gu, ' ');
}

function decodeEscape(code: string, separators: Separators, decode: Decode): string | undefined {
  const { field: F, component: S, subcomponent: T, repetition: R, escape: E } = separators;
  // H and N mark the start and end of highlighted text.
  const sign = new Map(Object.entries({ F, S, T, R, E, H: '', N: '' })).get(code);
  return sign ?? (code.startsWith('X') ? readBytes(code.slice(1), decode) : readFormat(code));
}

/** Removes NULs, since some systems write each byte with four digits. */
function readBytes(hex: string, decode: Decode): string | undefined {
  if (!/^(?:[0-9A-Fa-f]{2})+$/u.test(hex)) {
    return undefined;
  }
  const bytes = Buffer.from(hex, 'hex').filter((byte) => byte !== 0);
  return decode(Buffer.from(bytes));
}

const LINE_BREAKS = ['.br', '.ce'];
const LAYOUT = /^\.(?:fi|nf|in ?[+-]?\d{0,3}|ti ?[+-]?\d{0,3})$/u;

/** Replaces the formatting commands of data type FT. */
function readFormat(command: string): string | undefined {
  const name = command.toLowerCase();
  if (LINE_BREAKS.includes(name)) {
    return '\n';
  }
  if (LAYOUT.test(name)) {
    return '';
  }
  const [, kind = '', digits = ''] = /^\.(sp|sk) ?\+?(\d{0,9})$/u.exec(name) ?? [];
  const count = digits === '' ? 1 : Number(digits);
  return kind === '' || count > MOST_LINES ? undefined : (kind === 'sp' ? '\n' : ' ').repeat(count);
}
