import type { Kysely, Selectable } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { AuditAct } from '../../audit/audit-entries.ts';
import type { AccessSchema } from '../access-schema.ts';
import { hashSecret } from '../key-format.ts';
import { withoutFinalSlash } from '../../config/parsers.ts';
import type { Role } from '../../operations/operations.ts';
import {
  checkBadge,
  checkEmail,
  checkName,
  checkPersonRole,
  checkTeam,
  RuleError,
} from '../rules.ts';
import { findRow, matchesTeam, Repository, toDate, updateRows } from './repository.ts';
import { ensureTeam } from './team.repository.ts';

export interface NewStaff {
  readonly teamId: string;
  readonly name: string;
  readonly role: string;
  /** Issuer and subject at the identity provider. Both or neither must be given. */
  readonly issuer?: string | undefined;
  readonly subject?: string | undefined;
  /** Alternative to the subject: the first user who signs in with this verified address is the staff member. */
  readonly email?: string | undefined;
}

export type ListedStaff = ReturnType<typeof toListed>;

export type StaffRow = Selectable<AccessSchema['staff']>;

/** Staff of the teams: their identity at the provider, role and badge. */
export class StaffRepository extends Repository {
  async add(requested: NewStaff): Promise<{ readonly staffId: string }> {
    const now = this.database.now();
    if ((requested.issuer === undefined) !== (requested.subject === undefined)) {
      throw new RuleError('Issuer and subject must be given together.', 'subject');
    }
    const row = {
      staff_id: randomUUID(),
      team_id: checkTeam(requested.teamId),
      name: checkName(requested.name),
      role: checkPersonRole(requested.role),
      issuer: requested.issuer === undefined ? null : withoutFinalSlash(requested.issuer),
      subject: requested.subject ?? null,
      email: requested.email === undefined ? null : checkEmail(requested.email),
      created_ms: now,
    };
    return await this.database.change(async (transaction, record) => {
      await requireUnusedIdentity(transaction, row);
      await ensureTeam(transaction, row.team_id, now);
      await transaction.insertInto('staff').values(row).execute();
      await record(buildStaffAct('staffAdded', row, { staff_role: row.role }));
      return { staffId: row.staff_id };
    });
  }

  async list(teamId?: string): Promise<ListedStaff[]> {
    const rows = await this.database.reader
      .selectFrom('staff')
      .selectAll()
      .where(matchesTeam(teamId))
      .orderBy('team_id')
      .orderBy('name')
      .orderBy('staff_id')
      .execute();
    return rows.map(toListed);
  }

  async findByKey(keyId: string): Promise<ListedStaff | undefined> {
    const row = await this.database.reader
      .selectFrom('staff')
      .innerJoin('keys', 'keys.staff_id', 'staff.staff_id')
      .selectAll('staff')
      .where('keys.key_id', '=', keyId)
      .executeTakeFirst();
    return row && toListed(row);
  }

  /** Disables a staff member, ends their sessions and revokes their API keys; idempotent. @throws RuleError */
  async disable(staffId: string): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const row = await requireStaff(transaction, staffId);
      const staff = { staff_id: row.staff_id };
      const now = this.database.now();
      const active = { ...staff, disabled_ms: null };
      await updateRows(transaction, 'staff', active, { disabled_ms: now });
      await endSessions(transaction, staff, now);
      const valid = { ...staff, revoked_ms: null };
      await updateRows(transaction, 'keys', valid, { revoked_ms: now });
      await record(buildStaffAct('staffDisabled', row));
    });
  }

  /**
   * Stores only the SHA-256 of the badge, so that badges can't be copied from the table. @param badge undefined
   * removes it
   */
  async setBadge(staffId: string, badge: string | undefined): Promise<void> {
    const hash = badge === undefined ? null : hashBadge(checkBadge(badge));
    await this.database.change(async (transaction, record) => {
      const row = await requireStaff(transaction, staffId);
      const other = hash && (await findRow(transaction, 'staff', { badge_hash: hash }));
      if (other && other.staff_id !== row.staff_id) {
        throw new RuleError(`This badge belongs to ${other.staff_id}.`);
      }
      await updateRows(transaction, 'staff', { staff_id: row.staff_id }, { badge_hash: hash });
      await record(buildStaffAct('badgeSet', row, { badge: hash === null ? 'none' : 'set' }));
    });
  }
}

export function hashBadge(badge: string): Buffer {
  return hashSecret(badge.trim());
}

/** Describes an action for the audit record, without names. */
function buildStaffAct(
  operation: string,
  { staff_id, team_id }: Pick<StaffRow, 'staff_id' | 'team_id'>,
  details: AuditAct['details'] = {},
): AuditAct {
  return { operation, team_id, details: { staff_id, ...details } };
}

async function requireStaff(db: Kysely<AccessSchema>, staffId: string): Promise<StaffRow> {
  const row = await findRow(db, 'staff', { staff_id: staffId.toLowerCase() });
  if (row === undefined) {
    throw new RuleError('No such staff member.');
  }
  return row;
}

/** A disabled staff member's identity may be added again. It then belongs to a new ID. */
async function requireUnusedIdentity(
  db: Kysely<AccessSchema>,
  { issuer, subject, email }: Pick<StaffRow, 'issuer' | 'subject' | 'email'>,
): Promise<void> {
  const others = await db
    .selectFrom('staff')
    .selectAll()
    .where((where) =>
      where.or([
        where.and([where('issuer', '=', issuer), where('subject', '=', subject)]),
        where('email', '=', email),
      ]),
    )
    .execute();
  const active = others.find((other) => other.disabled_ms === null);
  if (active !== undefined) {
    const field = active.email !== null && active.email === email ? 'email' : 'subject';
    throw new RuleError(`This is already the sign-in of ${active.staff_id}.`, field);
  }
  for (const { staff_id: id } of others) {
    const none = { issuer: null, subject: null, email: null };
    await updateRows(db, 'staff', { staff_id: id }, none);
  }
}

function toListed(row: StaffRow) {
  return {
    staffId: row.staff_id,
    teamId: row.team_id,
    name: row.name,
    role: row.role as Role,
    issuer: row.issuer ?? undefined,
    subject: row.subject ?? undefined,
    email: row.email ?? undefined,
    badge: row.badge_hash !== null,
    created: new Date(row.created_ms),
    disabled: toDate(row.disabled_ms),
  };
}

export async function endSessions(
  transaction: Kysely<AccessSchema>,
  filter: Partial<Pick<AccessSchema['sessions'], 'session_id' | 'staff_id' | 'desk_id'>>,
  nowMs: number,
): Promise<void> {
  await updateRows(transaction, 'sessions', { ...filter, ended_ms: null }, { ended_ms: nowMs });
}
