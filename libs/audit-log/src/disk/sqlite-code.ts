/** SQLite's primary result code, https://sqlite.org/rescode.html; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}
