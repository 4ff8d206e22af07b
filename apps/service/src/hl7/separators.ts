import type { Decode } from './charset.ts';

/** Those that MSH-2 leaves out are empty. */
export interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

const PUNCTUATION = /^[!-/:-@[-`{-~]{3,6}$/u;

/** MSH-1 and MSH-2. @returns undefined if they are not two to five different signs after the field separator */
export function separatorsOf(field: string, encoding: string): Separators | undefined {
  const all = `${field}${encoding}`;
  if (!PUNCTUATION.test(all) || new Set(all).size < all.length) {
    return undefined;
  }
  const [component = '', repetition = '', escape = '', subcomponent = ''] = encoding;
  return { field, component, repetition, escape, subcomponent };
}

/** At most this many lines for `\.sp\`. */
const MOST_LINES = 20;

/** Replaces the escapes of text that was split before; those it does not know stay. */
export function unescape(raw: string, separators: Separators, decode: Decode): string {
  const { escape } = separators;
  if (escape === '' || !raw.includes(escape)) {
    return raw;
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
        : `${meaningOf(code, separators, decode) ?? `${escape}${code}${escape}`}${after}`;
  }
  return text;
}

function meaningOf(code: string, separators: Separators, decode: Decode): string | undefined {
  switch (code) {
    case 'F':
      return separators.field;
    case 'S':
      return separators.component;
    case 'T':
      return separators.subcomponent;
    case 'R':
      return separators.repetition;
    case 'E':
      return separators.escape;
    case 'H':
    case 'N':
      return '';
    case '.br':
      return '\n';
    default:
      return code.startsWith('X') ? bytesOf(code.slice(1), decode) : lines(code);
  }
}

function bytesOf(hex: string, decode: Decode): string | undefined {
  return /^(?:[0-9A-Fa-f]{2})+$/u.test(hex) ? decode(Buffer.from(hex, 'hex')) : undefined;
}

function lines(code: string): string | undefined {
  const digits = /^\.sp ?\+?(\d{0,9})$/u.exec(code)?.[1];
  const count = digits === '' ? 1 : Number(digits ?? Infinity);
  return count <= MOST_LINES ? '\n'.repeat(count) : undefined;
}
