import type { Kysely } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { CursorSecret } from '../../crypto/cursor-seal.ts';
import type { AccessSchema } from '../access-schema.ts';
import { RuleError } from '../rules.ts';
import { Repository, toIso } from './repository.ts';

/** Time in milliseconds for which cursors of the previous secret stay valid. */
const CURSOR_OVERLAP_MS = 24 * 3_600_000;

/** Secrets that all instances share. They are created when they are first used. */
export class SecretRepository extends Repository {
  /** Returns the permanent secret, 32 bytes. */
  async getPermanentSecret(): Promise<Buffer> {
    const select = (db: Kysely<AccessSchema>) => db.selectFrom('permanent_secret').select('secret');
    const { secret } =
      (await select(this.database.reader).executeTakeFirst()) ??
      (await this.database.change(async (transaction) => {
        await transaction
          .insertInto('permanent_secret')
          .values({ id: 1, secret: randomBytes(32) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return await select(transaction).executeTakeFirstOrThrow();
      }));
    return Buffer.from(secret);
  }

  /** Returns the newest cursor secret, and the previous one while its cursors are valid. */
  async listCursorSecrets(): Promise<readonly CursorSecret[]> {
    let rows = await selectCursorSecrets(this.database.reader);
    if (rows.length === 0) {
      rows = await this.database.change(async (transaction) => {
        await insertCursorSecret(transaction, 1, this.database.now());
        return await selectCursorSecrets(transaction);
      });
    }
    const untilMs = (rows[0]?.made_ms ?? 0) + CURSOR_OVERLAP_MS;
    return rows.map(({ secret }, age) => ({ secret, untilMs: age === 0 ? Infinity : untilMs }));
  }

  /**
   * Replaces the cursor secret. @returns when cursors of the old secret expire @throws RuleError while two secrets
   * are valid
   */
  async rotateCursorSecret(): Promise<Date> {
    return await this.database.change(async (transaction, record) => {
      const now = this.database.now();
      const [newest, before] = await selectCursorSecrets(transaction);
      const { secret_id: id, made_ms: madeMs } =
        newest ?? (await insertCursorSecret(transaction, 1, now));
      if (before !== undefined && now < madeMs + CURSOR_OVERLAP_MS) {
        throw new RuleError(
          `The cursor secret was replaced at ${toIso(madeMs)}, and cursors of the previous one are valid until ${toIso(madeMs + CURSOR_OVERLAP_MS)}. Replace it again after that.`,
        );
      }
      await insertCursorSecret(transaction, id + 1, now);
      await transaction.deleteFrom('cursor_secrets').where('secret_id', '<', id).execute();
      const until = new Date(now + CURSOR_OVERLAP_MS);
      const details = { old_valid_until: until.toISOString() };
      await record({ operation: 'cursorSecretTurned', team_id: null, details });
      return until;
    });
  }
}

type CursorSecretRow = AccessSchema['cursor_secrets'];

/** Does nothing if another instance was first. */
async function insertCursorSecret(
  db: Kysely<AccessSchema>,
  id: number,
  now: number,
): Promise<CursorSecretRow> {
  const row = { secret_id: id, secret: randomBytes(32), made_ms: now };
  await db
    .insertInto('cursor_secrets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return row;
}

/** Returns one or two secrets, newest first, or none before the first use. */
async function selectCursorSecrets(db: Kysely<AccessSchema>): Promise<CursorSecretRow[]> {
  return await db.selectFrom('cursor_secrets').selectAll().orderBy('secret_id', 'desc').execute();
}
