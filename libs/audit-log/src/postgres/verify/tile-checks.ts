import { AuditBrokenError } from '../../errors.ts';
import { hashesOfTile, rootOfHashes } from '../../tree/tiles.ts';
import type { Queryable } from '../stored/stored-tree.ts';

/** Stored tiles, read part by part. */
export class TileChecks {
  readonly #db: Queryable;
  readonly #logId: string;
  readonly #stored = new Map<string, { root: Buffer; hashes: Buffer }>();

  constructor(db: Queryable, logId: string) {
    this.#db = db;
    this.#logId = logId;
  }

  /** Reads the tiles that these records fill. */
  async read(from: number, to: number): Promise<void> {
    const [levels, indexes]: [number[], number[]] = [[], []];
    for (let level = 0, width = hashesOfTile; width <= to; level += 1, width *= hashesOfTile) {
      for (let index = Math.floor(from / width); (index + 1) * width <= to; index += 1) {
        levels.push(level);
        indexes.push(index);
      }
    }
    this.#stored.clear();
    if (levels.length === 0) {
      return;
    }
    const { rows } = await this.#db.query(
      `select t.level, t.idx, t.root, t.hashes from unnest($2::smallint[], $3::bigint[]) as w (level, idx)
       join audit.audit_tile t on t.log_id = $1 and t.level = w.level and t.idx = w.idx`,
      [this.#logId, levels, indexes],
    );
    for (const { level, idx, root, hashes } of rows) {
      const tile = { root: root as Buffer, hashes: hashes as Buffer };
      this.#stored.set(`${Number(level)}/${Number(idx)}`, tile);
    }
  }

  /** Undefined if it is missing, or its root is not that of its hashes. */
  get(level: number, index: number): Buffer | undefined {
    const { root, hashes } = this.#stored.get(`${level}/${index}`) ?? {};
    return hashes && root?.equals(rootOfHashes(hashes)) === true ? hashes : undefined;
  }

  /** @throws AuditBrokenError if there are more tiles than a log of this size has */
  async requireNoMore(size: number): Promise<void> {
    let count = 0;
    for (let full = Math.floor(size / hashesOfTile); full > 0;) {
      count += full;
      full = Math.floor(full / hashesOfTile);
    }
    const { rows } = await this.#db.query(
      'select count(*)::int as count from audit.audit_tile where log_id = $1',
      [this.#logId],
    );
    if (rows[0]?.['count'] !== count) {
      throw new AuditBrokenError('altered', 'The tree has unexpected hashes');
    }
  }
}
