import { compileOnce } from '@caregate/data-store/database';
import type { Kysely, Selectable } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import { CidrList } from '../../config/cidr-list.ts';
import { isRole, type Role, type Scope } from '../../operations/operations.ts';
import type { AuditAct } from '../../audit/audit-entries.ts';
import type { AccessSchema } from '../access-schema.ts';
import { formatSecret, hashParts, hashSecret, createSecret, parseSecret } from '../key-format.ts';
import type { KeyPrincipal } from '../caller.ts';
import {
  checkCidrs,
  checkLabel,
  checkScopes,
  checkTeam,
  DEFAULT_OVERLAP_MS,
  checkExpiry,
  RuleError,
} from '../rules.ts';
import { findRow, matchesTeam, Repository, toDate, toIso, updateRows } from './repository.ts';
import { ensureTeam } from './team.repository.ts';

export interface NewKey {
  readonly teamId: string;
  readonly teamName?: string | undefined;
  readonly role: Role;
  readonly label: string;
  /** Scopes, for the role `integration` only, which requires at least one. */
  readonly scopes?: readonly string[] | undefined;
  /** Expiry; 90 days from now by default, at most 365 days. */
  readonly expires?: Date | undefined;
  /** Allowed networks; any by default. */
  readonly cidrs?: readonly string[] | undefined;
  /** The staff member to whom the API key belongs, with the same team and role; none by default. */
  readonly staffId?: string | undefined;
  readonly isTest?: boolean;
}

/** A new API key. `key` is the only copy of its secret. */
export interface NewKeySecret {
  readonly key: string;
  readonly keyId: string;
  readonly expires: Date;
}

export type ListedKey = ReturnType<typeof toListed>;
type KeyRow = Selectable<AccessSchema['keys']>;

const MINUTE_MS = 60_000;
/** Time in milliseconds for which last uses are collected before they are written together. */
const LAST_USE_DELAY_MS = 2000;
/** Compared if there is no such API key, so that the response takes as long. */
const DUMMY_HASH = hashSecret('nobody');

/**
 * API keys. Each request reads the row of its key, so a revocation takes effect for the next request on every
 * instance.
 */
export class KeyRepository extends Repository {
  readonly #lastUses = new Map<string, number>();
  #lastUseTimer: NodeJS.Timeout | undefined;

  /**
   * Authenticates an API key. Returns undefined for every refusal. Compares the secret first, so that only its holder
   * could measure the time of the other checks.
   */
  async authenticate(key: string, address: string): Promise<KeyPrincipal | undefined> {
    const parts = parseSecret(key);
    if (parts === undefined || parts.kind === 'sess') {
      return undefined;
    }
    const { id: keyId } = parts;
    const [row] = await selectKeyById(this.database.reader, { keyId });
    if (!timingSafeEqual(hashParts(parts), row?.secret_hash ?? DUMMY_HASH) || row === undefined) {
      return undefined;
    }
    const { role } = row;
    const now = this.database.now();
    const cidrs = parseStrings(row.cidrs);
    if (
      !isRole(role) ||
      !isLive(row, now) ||
      (cidrs.length > 0 && !new CidrList(cidrs).allows(address))
    ) {
      return undefined;
    }
    this.#noteUse(row, now);
    const scopes = parseStrings(row.scopes) as Scope[];
    return { kind: 'key', teamId: row.team_id, role, scopes, keyId, label: row.label };
  }

  #noteUse({ key_id: keyId, last_used_ms: lastUsedMs }: KeyRow, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    if (lastUsedMs === null || lastUsedMs < minute) {
      this.#lastUses.set(keyId, minute);
      this.#writeLastUsesLater();
    }
  }

  #writeLastUsesLater(): void {
    this.#lastUseTimer ??= setTimeout(() => void this.writeLastUses(), LAST_USE_DELAY_MS).unref();
  }

  /** Writes the collected last uses. Never throws; a failed write is repeated later. */
  async writeLastUses(): Promise<void> {
    clearTimeout(this.#lastUseTimer);
    this.#lastUseTimer = undefined;
    const uses = [...this.#lastUses];
    this.#lastUses.clear();
    if (uses.length === 0) {
      return;
    }
    try {
      await this.database.change(async (transaction) => {
        for (const [keyId, minute] of uses) {
          await transaction
            .updateTable('keys')
            .set({ last_used_ms: minute })
            .where('key_id', '=', keyId)
            .where((row) =>
              row.or([row('last_used_ms', 'is', null), row('last_used_ms', '<', minute)]),
            )
            .execute();
        }
      });
    } catch {
      for (const [keyId, minute] of uses) {
        this.#lastUses.set(keyId, Math.max(minute, this.#lastUses.get(keyId) ?? 0));
      }
      this.#writeLastUsesLater();
    }
  }

  async create(requested: NewKey): Promise<NewKeySecret> {
    const now = this.database.now();
    const row = {
      team_id: checkTeam(requested.teamId),
      role: requested.role,
      scopes: JSON.stringify(checkScopes(requested.role, requested.scopes ?? [])),
      label: checkLabel(requested.label),
      cidrs: JSON.stringify(checkCidrs(requested.cidrs ?? [])),
      created_ms: now,
      expires_ms: checkExpiry(now, requested.expires),
      replaces: null,
      is_test: requested.isTest === true ? 1 : 0,
    };
    return await this.database.change(async (transaction, record) => {
      await ensureTeam(transaction, row.team_id, now, requested.teamName);
      const { staffId } = requested;
      const owner = staffId === undefined ? null : await requireOwner(transaction, staffId, row);
      const created = await insertKey(transaction, { ...row, staff_id: owner });
      const details = owner === null ? {} : { staff_id: owner };
      await record(buildKeyAct('createKey', { ...row, key_id: created.keyId }, details));
      return created;
    });
  }

  async list(teamId?: string): Promise<ListedKey[]> {
    const now = this.database.now();
    const rows = await this.database.reader
      .selectFrom('keys')
      .innerJoin('teams', 'teams.team_id', 'keys.team_id')
      .selectAll('keys')
      .select('teams.name as team_name')
      .where(matchesTeam(teamId, 'keys.team_id'))
      .orderBy('keys.team_id')
      .orderBy('keys.created_ms')
      .orderBy('keys.key_id')
      .execute();
    return rows.map((row) => toListed(row, now));
  }

  /**
   * `nextEndMs` is the earliest expiry, in milliseconds since 1970, of a valid API key that has no valid replacement.
   */
  async getValidity(): Promise<{ readonly valid: number; readonly nextEndMs: number | undefined }> {
    const valid = await this.database.reader
      .selectFrom('keys')
      .select(['key_id', 'replaces', 'expires_ms'])
      .where('revoked_ms', 'is', null)
      .where('expires_ms', '>', this.database.now())
      .orderBy('expires_ms')
      .execute();
    const replaced = new Set(valid.map(({ replaces }) => replaces));
    const next = valid.find(({ key_id: keyId }) => !replaced.has(keyId));
    return { valid: valid.length, nextEndMs: next?.expires_ms };
  }

  /**
   * Replaces an API key. Both keys are valid until the overlap ends. Refused while there are two, so that no key is
   * forgotten. @throws RuleError
   */
  async rotate(
    keyId: string,
    requested: {
      readonly expires?: Date | undefined;
      readonly overlapMs?: number | undefined;
    } = {},
  ): Promise<NewKeySecret & { readonly oldExpires: Date }> {
    const now = this.database.now();
    const overlap = requested.overlapMs ?? DEFAULT_OVERLAP_MS;
    if (!(overlap >= 0)) {
      throw new RuleError('The overlap must not be negative.', 'overlap');
    }
    const expires = checkExpiry(now, requested.expires);
    return await this.database.change(async (transaction, record) => {
      const old = await requireKey(transaction, keyId);
      if (!isLive(old, now)) {
        throw new RuleError('This key is revoked or expired. Create a new one.');
      }
      const neighbors = await transaction
        .selectFrom('keys')
        .selectAll()
        .where((row) =>
          row.or([
            row('replaces', '=', keyId),
            ...(old.replaces === null ? [] : [row('key_id', '=', old.replaces)]),
          ]),
        )
        .execute();
      const other = neighbors.find((row) => isLive(row, now));
      if (other !== undefined) {
        throw new RuleError(
          `This key was already rotated, and both keys are valid. Revoke ${other.key_id} first, or wait until it expires.`,
        );
      }
      const oldExpires = new Date(Math.min(old.expires_ms, now + overlap));
      const until = { expires_ms: oldExpires.getTime() };
      await updateRows(transaction, 'keys', { key_id: keyId }, until);
      const { team_id, role, scopes, label, cidrs, is_test, staff_id } = old;
      const row = {
        ...{ team_id, role, scopes, label, cidrs, is_test, staff_id, created_ms: now },
        ...{ replaces: keyId, expires_ms: expires },
      };
      const created = await insertKey(transaction, row);
      const details = { replaces: keyId, old_key_expires: oldExpires.toISOString() };
      await record(buildKeyAct('rotateKey', { ...row, key_id: created.keyId }, details));
      return { ...created, oldExpires };
    });
  }

  /** Revokes an API key; idempotent. @throws RuleError if it is unknown */
  async revoke(keyId: string): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const key = await requireKey(transaction, keyId);
      const valid = { key_id: keyId, revoked_ms: null };
      await updateRows(transaction, 'keys', valid, { revoked_ms: this.database.now() });
      await record(buildKeyAct('revokeKey', key));
    });
  }
}

const selectKeyById = compileOnce<AccessSchema, { keyId: string }, KeyRow>((db, value) =>
  db.selectFrom('keys').selectAll().where('key_id', '=', value('keyId')),
);

async function requireKey(db: Kysely<AccessSchema>, keyId: string): Promise<KeyRow> {
  const [key] = await selectKeyById(db, { keyId });
  if (key === undefined) {
    throw new RuleError('No such key.');
  }
  return key;
}

async function insertKey(
  db: Kysely<AccessSchema>,
  row: Omit<KeyRow, 'key_id' | 'secret_hash' | 'last_used_ms' | 'revoked_ms'>,
): Promise<NewKeySecret> {
  const parts = createSecret(row.is_test === 1 ? 'test' : 'live');
  const { id: keyId } = parts;
  const secret = { key_id: keyId, secret_hash: hashParts(parts) };
  await db
    .insertInto('keys')
    .values({ ...row, ...secret })
    .execute();
  return { key: formatSecret(parts), keyId, expires: new Date(row.expires_ms) };
}

function isLive(row: Pick<KeyRow, 'revoked_ms' | 'expires_ms'>, now: number): boolean {
  return row.revoked_ms === null && now < row.expires_ms;
}

function parseStrings(json: string): string[] {
  return JSON.parse(json) as string[];
}

/** Describes an action for the audit record, without label and team name, which are free text. */
function buildKeyAct(
  operation: string,
  key: Pick<KeyRow, 'key_id' | 'team_id' | 'role' | 'scopes' | 'cidrs' | 'expires_ms'>,
  more: AuditAct['details'] = {},
): AuditAct {
  const [scopes, cidrs] = [parseStrings(key.scopes), parseStrings(key.cidrs)];
  const details = {
    key_role: key.role,
    ...(scopes.length > 0 && { scopes: scopes.join(' ') }),
    ...(cidrs.length > 0 && { networks: cidrs.join(' ') }),
    expires: toIso(key.expires_ms),
    ...more,
  };
  return { operation, team_id: key.team_id, key_id: key.key_id, details };
}

/**
 * @returns the ID of the staff member @throws RuleError if they are disabled, or if their team or role differs from
 * the key's
 */
async function requireOwner(
  db: Kysely<AccessSchema>,
  staffId: string,
  key: { readonly team_id: string; readonly role: string },
): Promise<string> {
  const active = { staff_id: staffId.toLowerCase(), disabled_ms: null };
  const person = await findRow(db, 'staff', active);
  if (person === undefined) {
    throw new RuleError('No such staff member, or they are disabled.', 'staff');
  }
  if (person.team_id !== key.team_id || person.role !== key.role) {
    throw new RuleError(`This person is ${person.role} of the team ${person.team_id}.`, 'staff');
  }
  return person.staff_id;
}

function toListed(row: KeyRow & { readonly team_name: string | null }, now: number) {
  return {
    keyId: row.key_id,
    teamId: row.team_id,
    teamName: row.team_name,
    role: row.role as Role,
    scopes: parseStrings(row.scopes) as Scope[],
    label: row.label,
    cidrs: parseStrings(row.cidrs),
    created: new Date(row.created_ms),
    expires: new Date(row.expires_ms),
    lastUsed: toDate(row.last_used_ms),
    revoked: toDate(row.revoked_ms),
    replaces: row.replaces ?? undefined,
    state: row.revoked_ms !== null ? 'revoked' : isLive(row, now) ? 'live' : 'expired',
  } as const;
}
