import { isUuid } from '@caregate/domain';
import type { DeepLink, Phase, StateChange } from '../../shared/app-state.ts';

export const LINK_SCHEME = 'caregate';

/** The longest ID that a barcode can hold. Each character has at most 12 characters when it is percent-encoded. */
const maxIdLength = 256;
const maxLength = maxIdLength * 12;

/** One path segment of RFC 3986 `pchar` characters, without query and fragment. */
const linkPattern =
  /^caregate:\/\/(?<kind>person|order)\/(?<id>(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)$/iu;
/** Control, format, private-use and unassigned characters, lone surrogates, and line and paragraph separators. */
const unusableCharacters = /[\p{C}\p{Zl}\p{Zp}/\\?#]/u;

export function parseDeepLink(text: string): DeepLink | undefined {
  if (text.length > maxLength) return undefined;
  const { kind, id: encodedId } = linkPattern.exec(text)?.groups ?? {};
  if (kind === undefined || encodedId === undefined) return undefined;
  const id = decode(encodedId);
  if (id === undefined || id.length > maxIdLength) return undefined;
  if (kind.toLowerCase() === 'order') return isUuid(id) ? { kind: 'order', id } : undefined;
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

/** Returns undefined if the arguments have no link or several links. */
export function findLink(args: readonly string[]): string | undefined {
  const links = args.filter((one) => one.toLowerCase().startsWith(`${LINK_SCHEME}:`));
  return links.length === 1 ? links[0] : undefined;
}

/** While nobody is signed in, the answer doesn't reveal whether a link is valid. */
export function receiveLink(text: string, phase: Phase): NonNullable<StateChange['link']> {
  if (phase !== 'signedIn') return { refused: phase };
  const link = parseDeepLink(text);
  return link === undefined ? { refused: 'wrong' } : { target: link };
}
