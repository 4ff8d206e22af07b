import { DatabaseSync } from 'node:sqlite';

export const busy = 5;

/** SQLite's primary result code, https://sqlite.org/rescode.html; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { readonly errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** A transaction of SQLite as a lock, which ends with the process: Node has no flock. */
export class SqliteLock {
  readonly #db: DatabaseSync;

  constructor(
    file: string,
    timeout: number,
    { kind, inUse }: { kind: 'shared' | 'exclusive'; inUse: (cause: unknown) => Error },
  ) {
    this.#db = new DatabaseSync(file, { timeout, allowExtension: false });
    try {
      this.#db.exec(
        kind === 'shared' ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive',
      );
    } catch (error) {
      this.#db.close();
      throw sqliteCode(error) === busy ? inUse(error) : error;
    }
  }

  release(): void {
    if (this.#db.isOpen) {
      this.#db.close();
    }
  }
}
