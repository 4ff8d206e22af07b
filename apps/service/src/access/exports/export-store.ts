import { isUuid } from '@caregate/domain';
import { randomUUID } from 'node:crypto';
import type { AccessChanges } from '../access-acts.ts';
import { tooManyRequests } from '../limits/rate-limits.ts';
import { actorIdOf, type Principal } from '../principal.ts';

export const EXPORT_MS = 24 * 60 * 60_000;
/** Of a key or a member of staff at a time. */
const MOST_EXPORTS = 5;

export interface ExportRequest {
  /** Address of the request that began it. */
  readonly request: string;
  readonly types: readonly string[];
  readonly sinceUs: number | undefined;
  /** Of the last change that was stored when it began, in microseconds since 1970. */
  readonly untilUs: number;
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

  /** @throws ProblemError 429: as many as may be are kept */
  async requireRoom(principal: Principal, db = this.#changes.db): Promise<void> {
    const now = this.#changes.now();
    const kept = await db
      .selectFrom('exports')
      .select('began_ms')
      .where('owner', '=', actorIdOf(principal))
      .where('began_ms', '>', now - EXPORT_MS)
      .orderBy('began_ms')
      .execute();
    const [first] = kept;
    if (first !== undefined && kept.length >= MOST_EXPORTS) {
      const detail = `At most ${MOST_EXPORTS} exports are kept at once: DELETE those that you have read.`;
      throw tooManyRequests(Math.ceil((first.began_ms + EXPORT_MS - now) / 1000), detail);
    }
  }

  /** The answer to it is its record. @returns its id @throws ProblemError 429 */
  async begin(principal: Principal, asked: ExportRequest): Promise<string> {
    return await this.#changes.make(async (transaction) => {
      await this.requireRoom(principal, transaction);
      const exportId = randomUUID();
      await transaction
        .insertInto('exports')
        .values({
          ...{ export_id: exportId, team_id: principal.teamId, owner: actorIdOf(principal) },
          ...{ request: asked.request, types: asked.types.join(), since_us: asked.sinceUs ?? null },
          ...{ until_us: asked.untilUs, ends: JSON.stringify(asked.ends) },
          began_ms: this.#changes.now(),
        })
        .execute();
      return { act: undefined, result: exportId };
    });
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
        ...{ untilUs: row.until_us, beganMs: row.began_ms },
      }
    );
  }

  async dropExpired(): Promise<void> {
    const { db, now } = this.#changes;
    await db
      .deleteFrom('exports')
      .where('began_ms', '<=', now() - EXPORT_MS)
      .execute();
  }

  async end(exportId: string): Promise<void> {
    await this.#changes.db.deleteFrom('exports').where('export_id', '=', exportId).execute();
  }
}
