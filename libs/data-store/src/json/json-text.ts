// Scans JSON text that `JSON.parse` has accepted.

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function skipBlanks(text: string, from: number): number {
  let at = from;
  // Tab, line feed, carriage return and space are all that JSON knows.
  while (at < text.length && text.charCodeAt(at) <= 0x20) {
    at += 1;
  }
  return at;
}

export function endOfString(text: string, opening: number): number {
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
