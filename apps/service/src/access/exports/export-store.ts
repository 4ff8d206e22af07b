import { isUuid } from '@caregate/domain';
import { randomUUID } from 'node:crypto';
import type { AccessChanges } from '../access-acts.ts';
import { actorIdOf, type Principal } from '../principal.ts';

export const EXPORT_MS = 24 * 60 * 60_000;
/** Of a key or a member of staff at a time. */
export const MOST_EXPORTS = 5;

export interface ExportRequest {
  /** Address of the request that began it. */
  readonly request: string;
  readonly types: readonly string[];
  readonly sinceUs: number | undefined;
  /** User ids: the last of each file, but of the last file. */
  readonly ends: readonly string[];
}

export interface Export extends ExportRequest {
  readonly exportId: string;
  readonly beganMs: number;
}

/** Bulk exports, for all instances. They hold what was asked for, and no health data. */
export class ExportStore {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  /** The answer to it is its record. Too many: how long until the first of them is over. */
  async begin(
    principal: Principal,
    asked: ExportRequest,
  ): Promise<{ readonly exportId: string } | { readonly leftMs: number }> {
    const owner = actorIdOf(principal);
    return await this.#changes.make<{ exportId: string } | { leftMs: number }>(
      async (transaction) => {
        const now = this.#changes.now();
        await transaction
          .deleteFrom('exports')
          .where('began_ms', '<=', now - EXPORT_MS)
          .execute();
        const kept = await transaction
          .selectFrom('exports')
          .select('began_ms')
          .where('owner', '=', owner)
          .orderBy('began_ms')
          .execute();
        const [first] = kept;
        if (first !== undefined && kept.length >= MOST_EXPORTS) {
          return { act: undefined, result: { leftMs: first.began_ms + EXPORT_MS - now } };
        }
        const exportId = randomUUID();
        await transaction
          .insertInto('exports')
          .values({
            ...{ export_id: exportId, team_id: principal.teamId, owner, request: asked.request },
            ...{ types: asked.types.join(), since_us: asked.sinceUs ?? null },
            ...{ ends: JSON.stringify(asked.ends), began_ms: now },
          })
          .execute();
        return { act: undefined, result: { exportId } };
      },
    );
  }

  /** Undefined also for one of another, one that is over, and where key or member of staff may no more. */
  async find(principal: Principal, exportId: string): Promise<Export | undefined> {
    const now = this.#changes.now();
    const row = await this.#changes.db
      .selectFrom('exports')
      .selectAll()
      .where('export_id', '=', isUuid(exportId) ? exportId.toLowerCase() : '')
      .where('team_id', '=', principal.teamId)
      .where('owner', '=', actorIdOf(principal))
      .where('began_ms', '>', now - EXPORT_MS)
      .where((row) =>
        row.not(
          row.or([
            row.exists(
              row
                .selectFrom('keys')
                .select('key_id')
                .whereRef('key_id', '=', 'owner')
                .where((key) =>
                  key.or([key('revoked_ms', 'is not', null), key('expires_ms', '<=', now)]),
                ),
            ),
            row.exists(
              row
                .selectFrom('staff')
                .select('staff_id')
                .whereRef('staff_id', '=', 'owner')
                .where('disabled_ms', 'is not', null),
            ),
          ]),
        ),
      )
      .executeTakeFirst();
    return (
      row && {
        ...{ exportId: row.export_id, request: row.request, types: row.types.split(',') },
        ...{ sinceUs: row.since_us ?? undefined, ends: JSON.parse(row.ends) as string[] },
        beganMs: row.began_ms,
      }
    );
  }

  async end(exportId: string): Promise<void> {
    await this.#changes.db.deleteFrom('exports').where('export_id', '=', exportId).execute();
  }
}
