import { AuditBrokenError } from '../../errors.ts';
import { hashesOfTile, rootOfHashes, tilePath } from '../../tree/tiles.ts';

import type { Queryable } from '../stored/stored-tree.ts';

interface StoredTile {
  readonly root: Buffer;
  readonly hashes: Buffer;
}

/** Compares the stored tiles with those that the records give. */
export class TileChecks {
  readonly #db: Queryable;
  readonly #logId: string;
  #stored = new Map<string, StoredTile>();
  #count = 0;

  constructor(db: Queryable, logId: string) {
    this.#db = db;
    this.#logId = logId;
  }

  /** Reads the tiles that the records from `from` to before `to` fill. */
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

  /** @throws AuditBrokenError */
  take(level: number, index: number, hashes: Buffer): void {
    const stored = this.#stored.get(`${level}/${index}`);
    this.#count += 1;
    if (stored?.hashes.equals(hashes) !== true || !stored.root.equals(rootOfHashes(hashes))) {
      throw new AuditBrokenError(
        'altered',
        `The hashes in ${tilePath(level, index)} are missing or were altered`,
      );
    }
  }

  /** After the last record. @throws AuditBrokenError if there are more tiles */
  async finish(): Promise<void> {
    const { rows } = await this.#db.query(
      'select count(*)::int as count from audit.audit_tile where log_id = $1',
      [this.#logId],
    );
    if (rows[0]?.['count'] !== this.#count) {
      throw new AuditBrokenError('altered', 'The tree has unexpected hashes');
    }
  }
}
