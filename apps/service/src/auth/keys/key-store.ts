import type { Kysely } from 'kysely';
import { ACCESS_ACTS, type AccessAct, type AccessChanges } from '../access-acts.ts';
import type { AccessSchema } from '../access-schema.ts';
import type { Role, Scope } from '../../operations/roles.ts';
import { formatKey, newKeyParts, secretHashOf } from './key-format.ts';
import {
  DEFAULT_OVERLAP_MS,
  RuleError,
  checkCidrs,
  checkLabel,
  checkScopes,
  checkTeam,
  expiryOf,
} from '../rules.ts';
import { isLive, strings, type KeyRow } from './key-check.ts';

export interface NewKey {
  readonly teamId: string;
  readonly teamName?: string | undefined;
  readonly role: Role;
  readonly label: string;
  /** Only for the role integration, which requires at least one. */
  readonly scopes?: readonly string[] | undefined;
  /** Default: in 90 days; at most 365 days. */
  readonly expires?: Date | undefined;
  /** Default: any network. */
  readonly cidrs?: readonly string[] | undefined;
  /** The person whom the key belongs to, of the same team and role; default: nobody. */
  readonly staffId?: string | undefined;
  readonly isTest?: boolean;
}

/** `key` is the only copy of the secret. */
export interface MadeKey {
  readonly key: string;
  readonly keyId: string;
  readonly expires: Date;
}

export interface ListedKey {
  readonly keyId: string;
  readonly teamId: string;
  readonly teamName: string | null;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly cidrs: readonly string[];
  readonly created: Date;
  readonly expires: Date;
  readonly lastUsed: Date | undefined;
  readonly revoked: Date | undefined;
  readonly replaces: string | undefined;
  readonly state: 'live' | 'expired' | 'revoked';
}

export interface KeyValidity {
  readonly valid: number;
  /** When the first valid key without a valid replacement expires, in milliseconds since 1970. */
  readonly nextEndMs: number | undefined;
}

/** A revocation takes effect for the next request on every instance. */
export class KeyStore {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  async create(requested: NewKey): Promise<MadeKey> {
    const now = this.#changes.now();
    const teamId = checkTeam(requested.teamId);
    const row = {
      team_id: teamId,
      role: requested.role,
      scopes: JSON.stringify(checkScopes(requested.role, requested.scopes ?? [])),
      label: checkLabel(requested.label),
      cidrs: JSON.stringify(checkCidrs(requested.cidrs ?? [])),
      created_ms: now,
      expires_ms: expiryOf(now, requested.expires),
      replaces: null,
      is_test: requested.isTest === true ? 1 : 0,
    };
    return await this.#changes.make(async (transaction) => {
      await ensureTeam(transaction, teamId, now, requested.teamName);
      const result = await insertKey(transaction, row);
      const owner =
        requested.staffId === undefined
          ? undefined
          : await setOwner(transaction, result, row, requested.staffId);
      const details = owner === undefined ? {} : { staff_id: owner };
      const key = { ...row, key_id: result.keyId };
      return { act: keyAct(ACCESS_ACTS.createKey, key, details), result };
    });
  }

  async list(teamId?: string): Promise<ListedKey[]> {
    const now = this.#changes.now();
    const rows = await this.#changes.db
      .selectFrom('keys')
      .innerJoin('teams', 'teams.team_id', 'keys.team_id')
      .selectAll('keys')
      .select('teams.name as team_name')
      .$if(teamId !== undefined, (query) =>
        query.where('keys.team_id', '=', checkTeam(teamId ?? '')),
      )
      .orderBy('keys.team_id')
      .orderBy('keys.created_ms')
      .orderBy('keys.key_id')
      .execute();
    return rows.map((row) => ({ ...listed(row, now), teamName: row.team_name }));
  }

  async validity(): Promise<KeyValidity> {
    const valid = await this.#changes.db
      .selectFrom('keys')
      .select(['key_id', 'replaces', 'expires_ms'])
      .where('revoked_ms', 'is', null)
      .where('expires_ms', '>', this.#changes.now())
      .execute();
    const replaced = new Set(valid.map(({ replaces }) => replaces));
    const alone = valid.filter(({ key_id }) => !replaced.has(key_id));
    const nextEndMs = alone.map(({ expires_ms }) => expires_ms).sort((a, b) => a - b)[0];
    return { valid: valid.length, nextEndMs };
  }

  /** Both keys are valid until the overlap ends; a third is refused, so that none is forgotten. @throws RuleError */
  async rotate(
    keyId: string,
    requested: {
      readonly expires?: Date | undefined;
      readonly overlapMs?: number | undefined;
    } = {},
  ): Promise<MadeKey & { readonly oldExpires: Date }> {
    const now = this.#changes.now();
    const overlap = requested.overlapMs ?? DEFAULT_OVERLAP_MS;
    if (!(overlap >= 0)) {
      throw new RuleError('The overlap must not be negative.', 'overlap');
    }
    const expires = expiryOf(now, requested.expires);
    return await this.#changes.make(async (transaction) => {
      const old = await transaction
        .selectFrom('keys')
        .selectAll()
        .where('key_id', '=', keyId)
        .executeTakeFirst();
      if (old === undefined) {
        throw new RuleError('No such key.');
      }
      if (!isLive(old, now)) {
        throw new RuleError('This key is revoked or expired. Create a new one.');
      }
      const kin = await transaction
        .selectFrom('keys')
        .selectAll()
        .where((where) =>
          where.or([
            where('replaces', '=', keyId),
            ...(old.replaces === null ? [] : [where('key_id', '=', old.replaces)]),
          ]),
        )
        .execute();
      const other = kin.find((row) => isLive(row, now));
      if (other !== undefined) {
        throw new RuleError(
          `This key was already rotated, and both keys are valid. Revoke ${other.key_id} first, or wait until it expires.`,
        );
      }
      const oldExpires = Math.min(old.expires_ms, now + overlap);
      await transaction
        .updateTable('keys')
        .set({ expires_ms: oldExpires })
        .where('key_id', '=', keyId)
        .execute();
      const { team_id, role, scopes, label, cidrs, is_test } = old;
      const row = {
        ...{ team_id, role, scopes, label, cidrs, is_test, created_ms: now, replaces: keyId },
        expires_ms: expires,
      };
      const made = await insertKey(transaction, row);
      await inheritOwner(transaction, keyId, made.keyId);
      const act = keyAct(
        ACCESS_ACTS.rotateKey,
        { ...row, key_id: made.keyId },
        { replaces: keyId, old_key_expires: new Date(oldExpires).toISOString() },
      );
      return { act, result: { ...made, oldExpires: new Date(oldExpires) } };
    });
  }

  /** Idempotent. @throws RuleError if unknown */
  async revoke(keyId: string): Promise<void> {
    await this.#changes.make(async (transaction) => {
      const key = await transaction
        .selectFrom('keys')
        .selectAll()
        .where('key_id', '=', keyId)
        .executeTakeFirst();
      if (key === undefined) {
        throw new RuleError('No such key.');
      }
      await transaction
        .updateTable('keys')
        .set({ revoked_ms: key.revoked_ms ?? this.#changes.now() })
        .where('key_id', '=', keyId)
        .execute();
      return { act: keyAct(ACCESS_ACTS.revokeKey, key), result: undefined };
    });
  }
}

async function insertKey(
  db: Kysely<AccessSchema>,
  row: Omit<KeyRow, 'key_id' | 'secret_hash' | 'last_used_ms' | 'revoked_ms'>,
): Promise<MadeKey> {
  const parts = newKeyParts(row.is_test === 1 ? 'test' : 'live');
  await db
    .insertInto('keys')
    .values({
      ...row,
      key_id: parts.keyId,
      secret_hash: secretHashOf(parts),
      last_used_ms: null,
      revoked_ms: null,
    })
    .execute();
  return { key: formatKey(parts), keyId: parts.keyId, expires: new Date(row.expires_ms) };
}

function listed(row: KeyRow, now: number): Omit<ListedKey, 'teamName'> {
  return {
    keyId: row.key_id,
    teamId: row.team_id,
    role: row.role as Role,
    scopes: strings(row.scopes) as Scope[],
    label: row.label,
    cidrs: strings(row.cidrs),
    created: new Date(row.created_ms),
    expires: new Date(row.expires_ms),
    lastUsed: row.last_used_ms === null ? undefined : new Date(row.last_used_ms),
    revoked: row.revoked_ms === null ? undefined : new Date(row.revoked_ms),
    replaces: row.replaces ?? undefined,
    state: row.revoked_ms !== null ? 'revoked' : isLive(row, now) ? 'live' : 'expired',
  };
}

/** Label and team name are free text, so they are not recorded. */
function keyAct(
  operation: AccessAct['operation'],
  key: Pick<KeyRow, 'key_id' | 'team_id' | 'role' | 'scopes' | 'cidrs' | 'expires_ms'>,
  more: AccessAct['details'] = {},
): AccessAct {
  const [scopes, cidrs] = [strings(key.scopes), strings(key.cidrs)];
  return {
    operation,
    teamId: key.team_id,
    keyId: key.key_id,
    details: {
      key_role: key.role,
      ...(scopes.length > 0 && { scopes: scopes.join(' ') }),
      ...(cidrs.length > 0 && { networks: cidrs.join(' ') }),
      expires: new Date(key.expires_ms).toISOString(),
      ...more,
    },
  };
}

async function setOwner(
  db: Kysely<AccessSchema>,
  { keyId }: { readonly keyId: string },
  key: { readonly team_id: string; readonly role: string },
  staffId: string,
): Promise<string> {
  const person = await db
    .selectFrom('staff')
    .selectAll()
    .where('staff_id', '=', staffId.toLowerCase())
    .where('disabled_ms', 'is', null)
    .executeTakeFirst();
  if (person === undefined) {
    throw new RuleError('No such staff member, or they are disabled.', 'staff');
  }
  if (person.team_id !== key.team_id || person.role !== key.role) {
    throw new RuleError(`This person is ${person.role} of the team ${person.team_id}.`, 'staff');
  }
  await db.insertInto('key_owners').values({ key_id: keyId, staff_id: person.staff_id }).execute();
  return person.staff_id;
}

async function inheritOwner(
  db: Kysely<AccessSchema>,
  oldKeyId: string,
  newKeyId: string,
): Promise<void> {
  const owned = await db
    .selectFrom('key_owners')
    .select('staff_id')
    .where('key_id', '=', oldKeyId)
    .executeTakeFirst();
  if (owned !== undefined) {
    await db
      .insertInto('key_owners')
      .values({ key_id: newKeyId, staff_id: owned.staff_id })
      .execute();
  }
}

/** @param name kept if null */
export async function ensureTeam(
  transaction: Kysely<AccessSchema>,
  teamId: string,
  nowMs: number,
  name: string | null = null,
): Promise<void> {
  await transaction
    .insertInto('teams')
    .values({ team_id: teamId, name, created_ms: nowMs })
    .onConflict((conflict) =>
      name === null ? conflict.doNothing() : conflict.column('team_id').doUpdateSet({ name }),
    )
    .execute();
}
