import type { Selectable } from 'kysely';
import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { isUuid } from '@caregate/domain';
import {
  ACCESS_ACTS,
  newSalt,
  saltedHash,
  type AccessAct,
  type AccessChanges,
} from '../access-acts.ts';
import type { AccessSchema } from '../access-schema.ts';
import { checkName, checkTeam, RuleError } from '../rules.ts';
import { ensureTeam } from '../keys/key-store.ts';
import { endSessions } from '../staff/staff-store.ts';

const CODE_MS = 10 * 60_000;
/** Including the right one. */
const CODE_TRIES = 5;
/** Compared for an unknown code, so that it takes as long. */
const NO_CODE = { salt: Buffer.alloc(16), code_hash: Buffer.alloc(32) };

export type DeskRow = Selectable<AccessSchema['desks']>;

export interface DeskKey {
  readonly thumbprint: string;
  readonly jwk: object;
}

export interface ListedDesk {
  readonly deskId: string;
  readonly teamId: string;
  readonly name: string;
  readonly key: string;
  readonly created: Date;
  readonly revoked: Date | undefined;
}

export class DeskStore {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  /** `code` is its only copy. @throws RuleError */
  async makeCode(requested: {
    readonly teamId: string;
    readonly name: string;
  }): Promise<{ readonly code: string; readonly expires: Date }> {
    const teamId = checkTeam(requested.teamId);
    const name = checkName(requested.name);
    const code = newCode();
    const salt = newSalt();
    const now = this.#changes.now();
    const expires = now + CODE_MS;
    return await this.#changes.make(async (transaction) => {
      await ensureTeam(transaction, teamId, now);
      // Ids of expired codes are reused.
      await transaction.deleteFrom('enrolment_codes').where('expires_ms', '<=', now).execute();
      await transaction
        .insertInto('enrolment_codes')
        .values({
          code_id: code.codeId,
          ...{ salt, code_hash: hashOf(salt, code.secret), team_id: teamId, name },
          ...{ created_ms: now, expires_ms: expires, tries: 0, used_ms: null },
        })
        .execute();
      const details = { expires: new Date(expires).toISOString() };
      const act: AccessAct = { operation: ACCESS_ACTS.makeCode, teamId, keyId: null, details };
      return { act, result: { code: `${code.codeId}-${code.secret}`, expires: new Date(expires) } };
    });
  }

  /** Undefined for every refusal, so that it reveals no cause. Counts the try first. */
  async enrol(requested: {
    readonly code: string;
    readonly name: string | undefined;
    readonly key: DeskKey;
  }): Promise<DeskRow | undefined> {
    const code = readCode(requested.code);
    const row = await this.#countTry(code);
    const { salt, code_hash: hash } = row ?? NO_CODE;
    const isProved = timingSafeEqual(hashOf(salt, code.secret), hash);
    if (row === undefined || !isProved) {
      return undefined;
    }
    const now = this.#changes.now();
    const desk: DeskRow = {
      desk_id: randomUUID(),
      team_id: row.team_id,
      name: requested.name === undefined ? row.name : checkName(requested.name),
      thumbprint: requested.key.thumbprint,
      jwk: JSON.stringify(requested.key.jwk),
      created_ms: now,
      revoked_ms: null,
    };
    return await this.#changes
      .make(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('enrolment_codes')
          .set({ used_ms: now })
          .where('code_id', '=', code.codeId)
          .where('created_ms', '=', row.created_ms)
          .where('used_ms', 'is', null)
          .executeTakeFirst();
        const known = await transaction
          .selectFrom('desks')
          .select('desk_id')
          .where('thumbprint', '=', desk.thumbprint)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n || known !== undefined) {
          throw new RefusedError();
        }
        await transaction.insertInto('desks').values(desk).execute();
        const act = deskAct(ACCESS_ACTS.enrolDesk, desk, { thumbprint: desk.thumbprint });
        return { act: { ...act, by: { deskId: desk.desk_id } }, result: desk };
      })
      .catch((error: unknown) => {
        if (error instanceof RefusedError) {
          return undefined;
        }
        throw error;
      });
  }

  /** Enrolled and not revoked. */
  async find(deskId: string): Promise<DeskRow | undefined> {
    return await this.#changes.db
      .selectFrom('desks')
      .selectAll()
      .where('desk_id', '=', deskId.toLowerCase())
      .where('revoked_ms', 'is', null)
      .executeTakeFirst();
  }

  async list(teamId?: string): Promise<ListedDesk[]> {
    const rows = await this.#changes.db
      .selectFrom('desks')
      .selectAll()
      .$if(teamId !== undefined, (query) => query.where('team_id', '=', checkTeam(teamId ?? '')))
      .orderBy('team_id')
      .orderBy('name')
      .orderBy('desk_id')
      .execute();
    return rows.map((row) => ({
      deskId: row.desk_id,
      teamId: row.team_id,
      name: row.name,
      key: row.thumbprint,
      created: new Date(row.created_ms),
      revoked: row.revoked_ms === null ? undefined : new Date(row.revoked_ms),
    }));
  }

  /** Ends its sessions; idempotent. @throws RuleError */
  async revoke(deskId: string): Promise<void> {
    await this.#changes.make(async (transaction) => {
      const row = isUuid(deskId)
        ? await transaction
            .selectFrom('desks')
            .selectAll()
            .where('desk_id', '=', deskId.toLowerCase())
            .executeTakeFirst()
        : undefined;
      if (row === undefined) {
        throw new RuleError('No such desk.');
      }
      const now = this.#changes.now();
      await transaction
        .updateTable('desks')
        .set({ revoked_ms: row.revoked_ms ?? now })
        .where('desk_id', '=', row.desk_id)
        .execute();
      await endSessions(transaction, { desk_id: row.desk_id }, now);
      return { act: deskAct(ACCESS_ACTS.revokeDesk, row), result: undefined };
    });
  }

  /** Counts a try, for all instances; undefined if none are left. */
  async #countTry({
    codeId,
  }: EnrolmentCode): Promise<Selectable<AccessSchema['enrolment_codes']> | undefined> {
    return await this.#changes.db
      .updateTable('enrolment_codes')
      .set((row) => ({ tries: row('tries', '+', 1) }))
      .where('code_id', '=', codeId)
      .where('tries', '<', CODE_TRIES)
      .where('used_ms', 'is', null)
      .where('expires_ms', '>', this.#changes.now())
      .returningAll()
      .executeTakeFirst();
  }
}

class RefusedError extends Error {}

/** A fast hash is enough: a code expires after ten minutes, and anyone can trigger this. */
function hashOf(salt: Uint8Array, secret: string): Buffer {
  return Buffer.from(saltedHash(salt, secret), 'hex');
}

function deskAct(
  operation: AccessAct['operation'],
  { desk_id, team_id }: Pick<DeskRow, 'desk_id' | 'team_id'>,
  details: AccessAct['details'] = {},
): AccessAct {
  return { operation, teamId: team_id, keyId: null, details: { desk_id, ...details } };
}

/** Without I, L, O and U, which are easily mistaken. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Its first four characters say which, the other six (30 bits, five tries) prove it; shown as `K7QM-4XR2TD`. */
interface EnrolmentCode {
  readonly codeId: string;
  readonly secret: string;
}

function newCode(): EnrolmentCode {
  return readCode(Array.from({ length: 10 }, () => LETTERS.charAt(randomInt(32))).join(''));
}

function readCode(typed: string): EnrolmentCode {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s-]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/gu, '1');
  return { codeId: plain.slice(0, 4), secret: plain.slice(4) };
}
