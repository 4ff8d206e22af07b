/** The `code` of a Node error (`ENOENT`), or an empty string. Without `instanceof`, which fails across realms (Jest). */
export function errorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : '';
}
