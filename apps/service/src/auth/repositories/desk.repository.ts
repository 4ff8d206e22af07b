import type { Kysely, Selectable } from 'kysely';
import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { createSalt, hashWithSalt } from '../access-acts.ts';
import type { AuditAct } from '../../audit/audit-entries.ts';
import type { AccessSchema } from '../access-schema.ts';
import { checkName, checkTeam, RuleError } from '../rules.ts';
import { findRow, matchesTeam, Repository, toDate, toIso, updateRows } from './repository.ts';
import { endSessions } from './staff.repository.ts';
import { ensureTeam } from './team.repository.ts';

const CODE_MS = 10 * 60_000;
/** Number of tries to enter a code, including the correct one. */
const CODE_TRIES = 5;
/**
 * How long the previous key stays valid after a key change, since a sign-in may be bound to it, and how long a late
 * request can't replace an offered key.
 */
const KEY_OVERLAP_MS = 10 * 60_000;
/** Compared if the code is unknown, so that the response takes as long. */
const DUMMY_CODE = { salt: Buffer.alloc(16), code_hash: Buffer.alloc(32) };

export type DeskRow = Selectable<AccessSchema['desks']>;

export type ListedDesk = ReturnType<typeof toListed>;

/** Desks: the computers at which staff sign in, each with its own key pair. */
export class DeskRepository extends Repository {
  /** Creates an enrollment code. The result is its only copy. @throws RuleError */
  async makeCode(requested: {
    readonly teamId: string;
    readonly name: string;
  }): Promise<{ readonly code: string; readonly expires: Date }> {
    const teamId = checkTeam(requested.teamId);
    const name = checkName(requested.name);
    const code = generateCode();
    const salt = createSalt();
    const now = this.database.now();
    const expires = now + CODE_MS;
    return await this.database.change(async (transaction, record) => {
      await ensureTeam(transaction, teamId, now);
      // IDs of expired codes may be used again.
      await transaction.deleteFrom('enrolment_codes').where('expires_ms', '<=', now).execute();
      await transaction
        .insertInto('enrolment_codes')
        .values({
          code_id: code.codeId,
          ...{ salt, code_hash: hashCode(salt, code.secret), team_id: teamId, name },
          ...{ created_ms: now, expires_ms: expires },
        })
        .execute();
      const details = { expires: toIso(expires) };
      await record({ operation: 'deskCodeMade', team_id: teamId, details });
      return { code: `${code.codeId}-${code.secret}`, expires: new Date(expires) };
    });
  }

  /**
   * Enrolls a desk. Returns undefined for every refusal, so that it doesn't reveal the cause. The try is counted
   * before the code is compared.
   */
  async enrol(requested: {
    readonly code: string;
    readonly name: string | undefined;
    readonly key: { readonly thumbprint: string };
  }): Promise<DeskRow | undefined> {
    const code = readCode(requested.code);
    const row = await this.#countTry(code);
    const { salt, code_hash: hash } = row ?? DUMMY_CODE;
    const isProved = timingSafeEqual(hashCode(salt, code.secret), hash);
    if (row === undefined || !isProved) {
      return undefined;
    }
    const now = this.database.now();
    const desk = {
      desk_id: randomUUID(),
      team_id: row.team_id,
      name: requested.name === undefined ? row.name : checkName(requested.name),
      thumbprint: requested.key.thumbprint,
      key_ms: now,
      created_ms: now,
    };
    return await this.database.change(async (transaction, record) => {
      if (await hasThumbprint(transaction, desk.thumbprint)) {
        return undefined;
      }
      const unused = { code_id: code.codeId, created_ms: row.created_ms, used_ms: null };
      if ((await updateRows(transaction, 'enrolment_codes', unused, { used_ms: now })) === 0) {
        return undefined;
      }
      const enrolled = await transaction
        .insertInto('desks')
        .values(desk)
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(describeOwnAct('deskEnrolled', desk, { thumbprint: desk.thumbprint }));
      return enrolled;
    });
  }

  /** Returns a desk that is enrolled and not revoked. */
  async find(deskId: string): Promise<DeskRow | undefined> {
    return await selectEnrolled(this.database.reader, deskId);
  }

  async list(teamId?: string): Promise<ListedDesk[]> {
    const rows = await this.database.reader
      .selectFrom('desks')
      .selectAll()
      .where(matchesTeam(teamId))
      .orderBy('team_id')
      .orderBy('name')
      .orderBy('desk_id')
      .execute();
    return rows.map(toListed);
  }

  /** Offers `next`, which becomes the key of the desk when it is first used. @throws RuleError */
  async offerKey(deskId: string, { by, next }: { by: string; next: string }): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const row = await selectEnrolled(transaction, deskId);
      if (row === undefined) {
        throw new RuleError('No such desk.');
      }
      if (next === row.second_thumbprint && row.second_is_next === 1) {
        return;
      }
      const now = this.database.now();
      const until = (row.second_since_ms ?? -Infinity) + KEY_OVERLAP_MS;
      if (now < until) {
        const end = toIso(until);
        throw new RuleError(`This desk has two keys. Offer another one after ${end}.`);
      }
      if (by !== row.thumbprint) {
        throw new RuleError('Only the key of the desk offers another one.');
      }
      if (await hasThumbprint(transaction, next)) {
        throw new RuleError('A desk has this key already. Make a new one.');
      }
      const second = { second_thumbprint: next, second_since_ms: now, second_is_next: 1 };
      await updateRows(transaction, 'desks', { desk_id: row.desk_id }, second);
      await record(describeOwnAct('deskKeyOffered', row, { thumbprint: next }));
    });
  }

  /**
   * Makes the offered key the desk's key, and keeps the previous one valid for a while. Does nothing if another
   * request was first.
   */
  async activateOfferedKey(deskId: string, thumbprint: string): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const row = await selectEnrolled(transaction, deskId);
      if (row?.second_thumbprint !== thumbprint || row.second_is_next === 0) {
        return;
      }
      const now = this.database.now();
      const previous = { second_thumbprint: row.thumbprint, second_since_ms: now };
      const keys = { thumbprint, key_ms: now, ...previous, second_is_next: 0 };
      await updateRows(transaction, 'desks', { desk_id: row.desk_id }, keys);
      const details = { thumbprint, old_valid_until: toIso(now + KEY_OVERLAP_MS) };
      await record(describeOwnAct('deskKeyTurned', row, details));
    });
  }

  /** Revokes a desk and ends its sessions; idempotent. @throws RuleError */
  async revoke(deskId: string): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const desk = { desk_id: deskId.toLowerCase() };
      const row = await findRow(transaction, 'desks', desk);
      if (row === undefined) {
        throw new RuleError('No such desk.');
      }
      const now = this.database.now();
      await updateRows(transaction, 'desks', { ...desk, revoked_ms: null }, { revoked_ms: now });
      await endSessions(transaction, desk, now);
      await record(buildDeskAct('deskRevoked', row));
    });
  }

  /** Counts a try for all instances. Returns undefined if none are left. */
  async #countTry({
    codeId,
  }: EnrolmentCode): Promise<Selectable<AccessSchema['enrolment_codes']> | undefined> {
    return await this.database.change(
      async (transaction) =>
        await transaction
          .updateTable('enrolment_codes')
          .set((row) => ({ tries: row('tries', '+', 1) }))
          .where('code_id', '=', codeId)
          .where('tries', '<', CODE_TRIES)
          .where('used_ms', 'is', null)
          .where('expires_ms', '>', this.database.now())
          .returningAll()
          .executeTakeFirst(),
    );
  }
}

/** Returns the thumbprints of the desk's keys that are valid at this time. */
export function listValidKeys(
  desk: Pick<DeskRow, 'thumbprint' | 'second_thumbprint' | 'second_since_ms' | 'second_is_next'>,
  now: number,
): readonly string[] {
  const { thumbprint, second_thumbprint: second, second_since_ms: since } = desk;
  const isOver = desk.second_is_next === 0 && now >= (since ?? 0) + KEY_OVERLAP_MS;
  return second === null || isOver ? [thumbprint] : [thumbprint, second];
}

async function selectEnrolled(
  db: Kysely<AccessSchema>,
  deskId: string,
): Promise<DeskRow | undefined> {
  return await findRow(db, 'desks', { desk_id: deskId.toLowerCase(), revoked_ms: null });
}

async function hasThumbprint(db: Kysely<AccessSchema>, key: string): Promise<boolean> {
  const existing = await db
    .selectFrom('desks')
    .select('desk_id')
    .where((row) => row.or([row('thumbprint', '=', key), row('second_thumbprint', '=', key)]))
    .executeTakeFirst();
  return existing !== undefined;
}

/** A fast hash is sufficient, since a code expires after ten minutes, and anyone can trigger this computation. */
function hashCode(salt: Uint8Array, secret: string): Buffer {
  return Buffer.from(hashWithSalt(salt, secret), 'hex');
}

/** Describes an action of a user who manages desks. */
function buildDeskAct(
  operation: string,
  { desk_id, team_id }: Pick<DeskRow, 'desk_id' | 'team_id'>,
  details: AuditAct['details'] = {},
): AuditAct {
  return { operation, team_id, details: { desk_id, ...details } };
}

/** Describes an action of the desk itself, while no user is signed in. */
function describeOwnAct(...act: Parameters<typeof buildDeskAct>): AuditAct {
  return { ...buildDeskAct(...act), by: { deskId: act[1].desk_id } };
}

/** Characters of codes. I, L, O and U are left out, since they are easily confused with others. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A code such as `K7QM-4XR2TD`. The first four characters are its ID; the other six are secret (30 bits, for which
 * there are five tries).
 */
interface EnrolmentCode {
  readonly codeId: string;
  readonly secret: string;
}

function generateCode(): EnrolmentCode {
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

function toListed(row: DeskRow) {
  return {
    deskId: row.desk_id,
    teamId: row.team_id,
    name: row.name,
    key: row.thumbprint,
    keySince: new Date(row.key_ms),
    created: new Date(row.created_ms),
    revoked: toDate(row.revoked_ms),
  };
}
