/** The path of a request target as it was sent: nothing decoded, no dots resolved. */
export function rawPath(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/** The query of a request target as it was sent, without its question mark. */
export function rawQuery(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? '' : target.slice(query + 1);
}

/**
 * `/v2/user/` is `/v2/user`, as documented. No other path loses its last slash: behind `/resolve/` it would be part of
 * what is asked for.
 */
export function withoutListSlash(target: string): string {
  return rawPath(target) === '/v2/user/' ? `/v2/user${target.slice('/v2/user/'.length)}` : target;
}

/** Whether text decodes as percent-encoded UTF-8. */
export function isPercentEncoded(text: string): boolean {
  if (!text.includes('%')) {
    return true;
  }
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
