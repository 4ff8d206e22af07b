/** What a link of another program may ask for: a person by client id, or an order. */
export interface DeepLink {
  readonly kind: 'person' | 'order';
  readonly id: string;
}

/** The scheme of links, as it is registered with the system. */
export const LINK_SCHEME = 'caregate';

/** As long as anything that stands on a barcode; every character of it may be written as three. */
const longestId = 256;
const longest = longestId * 12;

/** An id alone, written as a URL has it (RFC 3986, `pchar`): no query, no fragment, no second segment. */
const shape =
  /^caregate:\/\/(?<kind>person|order)\/(?<id>(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)$/iu;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
/** Control and format characters, halves of surrogates, private and unassigned ones, ends of lines; and what leads elsewhere. */
const unusable = /[\p{C}\p{Zl}\p{Zp}/\\?#]/u;

/** The link in a text; undefined where it is anything but the id of a person or of an order. */
export function deepLinkOf(text: string): DeepLink | undefined {
  if (text.length > longest) return undefined;
  const { kind, id: written } = shape.exec(text)?.groups ?? {};
  if (kind === undefined || written === undefined) return undefined;
  const id = decoded(written);
  if (id === undefined || id.length > longestId) return undefined;
  if (kind.toLowerCase() === 'order') return uuid.test(id) ? { kind: 'order', id } : undefined;
  const isId = !unusable.test(id) && id.trim() === id && !/^\.+$/u.test(id);
  return isId ? { kind: 'person', id } : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The one link among the arguments of a start; a start with several, or with none, has none. */
export function linkAmong(args: readonly string[]): string | undefined {
  const links = args.filter((one) => new RegExp(`^${LINK_SCHEME}:`, 'iu').test(one));
  return links.length === 1 ? links[0] : undefined;
}
