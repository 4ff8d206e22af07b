/** The `code` of an error of Node (`ENOENT`), or an empty string. Without `instanceof`: Jest's realm has another Error. */
export function errorCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : '';
}
