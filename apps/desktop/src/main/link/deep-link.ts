import type { DeepLink, Phase, StateChange } from '../../shared/app-state.ts';

export const LINK_SCHEME = 'caregate';

/** Longest id of a barcode, each character percent-encoded as up to 12. */
const maxIdLength = 256;
const maxLength = maxIdLength * 12;

/** RFC 3986 `pchar`, one segment: no query, no fragment. */
const linkPattern =
  /^caregate:\/\/(?<kind>person|order)\/(?<id>(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)$/iu;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
/** Control, format, private and unassigned characters, lone surrogates, line ends, separators. */
const unusableCharacters = /[\p{C}\p{Zl}\p{Zp}/\\?#]/u;

export function parseDeepLink(text: string): DeepLink | undefined {
  if (text.length > maxLength) return undefined;
  const { kind, id: encodedId } = linkPattern.exec(text)?.groups ?? {};
  if (kind === undefined || encodedId === undefined) return undefined;
  const id = decode(encodedId);
  if (id === undefined || id.length > maxIdLength) return undefined;
  if (kind.toLowerCase() === 'order') return uuid.test(id) ? { kind: 'order', id } : undefined;
  const isId = !unusableCharacters.test(id) && id.trim() === id && !/^\.+$/u.test(id);
  return isId ? { kind: 'person', id } : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Undefined if there are none or several. */
export function findLink(args: readonly string[]): string | undefined {
  const links = args.filter((one) => one.toLowerCase().startsWith(`${LINK_SCHEME}:`));
  return links.length === 1 ? links[0] : undefined;
}

/** Doesn't reveal to a signed-out user whether a link is valid. */
export function receiveLink(text: string, phase: Phase): NonNullable<StateChange['link']> {
  if (phase !== 'signedIn') return { refused: phase };
  const link = parseDeepLink(text);
  return link === undefined ? { refused: 'wrong' } : { target: link };
}
