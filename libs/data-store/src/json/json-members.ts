const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads the members of a JSON object with the original text of each value, so that numbers keep every digit.
 * `JSON.parse` must accept the text.
 */
export function readMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let at = text.indexOf('{') + 1;
  for (;;) {
    at = skipBlanks(text, at);
    if (text.charCodeAt(at) !== QUOTE) {
      if (text[at] !== ',') {
        return members;
      }
      at += 1;
      continue;
    }
    const nameEnd = findStringEnd(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const begin = skipBlanks(text, text.indexOf(':', nameEnd) + 1);
    at = findValueEnd(text, begin);
    members.set(name, text.slice(begin, at));
  }
}

/** Formats all other members as `,"name":value`. */
export function formatOtherMembers(
  members: ReadonlyMap<string, string>,
  excluded: readonly string[],
): string {
  let formatted = '';
  for (const [name, value] of members) {
    if (!excluded.includes(name)) {
      formatted += `,${JSON.stringify(name)}:${value}`;
    }
  }
  return formatted;
}

function findValueEnd(text: string, begin: number): number {
  let at = begin;
  let depth = 0;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = findStringEnd(text, at);
      continue;
    }
    at += 1;
    if (code === 0x7b || code === 0x5b) {
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (depth === 0) {
      while (at < text.length && /[^\s,}]/.test(text.charAt(at))) {
        at += 1;
      }
    }
  } while (depth > 0);
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  // JSON's white space is tab, line feed, carriage return and space.
  while (at < text.length && text.charCodeAt(at) <= 0x20) {
    at += 1;
  }
  return at;
}

function findStringEnd(text: string, opening: number): number {
  let at = opening;
  for (;;) {
    at = text.indexOf('"', at + 1);
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) {
      before -= 1;
    }
    if ((at - before) % 2 === 0) {
      return at + 1;
    }
  }
}
