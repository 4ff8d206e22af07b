import type { Kysely } from 'kysely';
import { hash, timingSafeEqual } from 'node:crypto';
import type { AccessSchema } from '../access-schema.ts';
import type { Principal } from '../principal.ts';
import { isRole, type Role, type Scope } from '../../operations/roles.ts';
import { CidrError, CidrList } from '../../http/cidr-list.ts';
import { formatKey, newKeyParts, parseKey } from './key-format.ts';
import {
  DEFAULT_OVERLAP_MS,
  KeyRuleError,
  checkLabel,
  checkScopes,
  checkTeam,
  expiryOf,
} from './key-rules.ts';
import type { WithWriteLock } from '../../database/with-write-lock.ts';
import type { KeyLookup, KeyRow } from './key-lookup.ts';
import { LastUsed } from './last-used.ts';

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
}

/** A new key; `key` is the only copy of the secret. */
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

/** Compared while no key was found. */
const nobodysHash = hashOf('nobody');
/** An id that does not exist. */
const nobodysId = '0'.repeat(12);

/** The keys of all teams. Nothing is cached: a revocation takes effect for the next request on every instance. */
export class KeyStore {
  readonly #db: Kysely<AccessSchema>;
  readonly #now: () => number;
  readonly #withWriteLock: WithWriteLock;
  readonly #lookUp: KeyLookup;
  readonly #lastUsed: LastUsed;
  /** An existing key: the one found last. */
  #someId = nobodysId;

  constructor(
    db: Kysely<AccessSchema>,
    {
      now,
      withWriteLock,
      lookUp,
    }: { now: () => number; withWriteLock: WithWriteLock; lookUp: KeyLookup },
  ) {
    this.#db = db;
    this.#now = now;
    this.#withWriteLock = withWriteLock;
    this.#lookUp = lookUp;
    this.#lastUsed = new LastUsed(db);
  }

  /** @throws KeyRuleError */
  async create(asked: NewKey): Promise<MadeKey> {
    const now = this.#now();
    const teamId = checkTeam(asked.teamId);
    const row = {
      team_id: teamId,
      role: asked.role,
      scopes: JSON.stringify(checkScopes(asked.role, asked.scopes ?? [])),
      label: checkLabel(asked.label),
      cidrs: JSON.stringify(checkedCidrs(asked.cidrs ?? [])),
      created_ms: now,
      expires_ms: expiryOf(now, asked.expires),
      replaces: null,
    };
    return await this.#db.transaction().execute(async (transaction) => {
      const name = asked.teamName ?? null;
      await transaction
        .insertInto('teams')
        .values({ team_id: teamId, name, created_ms: now })
        .onConflict((conflict) =>
          name === null ? conflict.doNothing() : conflict.column('team_id').doUpdateSet({ name }),
        )
        .execute();
      return await insertKey(transaction, row);
    });
  }

  async list(teamId?: string): Promise<ListedKey[]> {
    const now = this.#now();
    const rows = await this.#db
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

  /**
   * Creates a replacement for a valid key: same team, role, scopes, label and networks, new secret and expiry. Both are
   * valid until the overlap ends; a third one is refused, so that no key is forgotten.
   *
   * @throws KeyRuleError if the key is unknown or not valid, or replaces one that is still valid
   */
  async rotate(
    keyId: string,
    asked: { readonly expires?: Date | undefined; readonly overlapMs?: number | undefined } = {},
  ): Promise<MadeKey & { readonly oldExpires: Date }> {
    const now = this.#now();
    const overlap = asked.overlapMs ?? DEFAULT_OVERLAP_MS;
    if (!(overlap >= 0)) {
      throw new KeyRuleError('overlap', 'The overlap must not be negative.');
    }
    const expires = expiryOf(now, asked.expires);
    return await this.#withWriteLock(this.#db, async (transaction) => {
      const old = await transaction
        .selectFrom('keys')
        .selectAll()
        .where('key_id', '=', keyId)
        .executeTakeFirst();
      if (old === undefined) {
        throw new KeyRuleError('key', 'No such key.');
      }
      if (!isLive(old, now)) {
        throw new KeyRuleError('key', 'This key is revoked or expired. Create a new one.');
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
        throw new KeyRuleError(
          'key',
          `This key was already rotated, and both keys are valid. Revoke ${other.key_id} first, or wait until it expires.`,
        );
      }
      const oldExpires = Math.min(old.expires_ms, now + overlap);
      await transaction
        .updateTable('keys')
        .set({ expires_ms: oldExpires })
        .where('key_id', '=', keyId)
        .execute();
      const { team_id, role, scopes, label, cidrs } = old;
      const row = { team_id, role, scopes, label, cidrs, created_ms: now, replaces: keyId };
      const made = await insertKey(transaction, { ...row, expires_ms: expires });
      return { ...made, oldExpires: new Date(oldExpires) };
    });
  }

  /** Revokes a key immediately and permanently; idempotent. @throws KeyRuleError if it is unknown */
  async revoke(keyId: string): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('keys')
      .set((row) => ({ revoked_ms: row.fn.coalesce('revoked_ms', row.val(this.#now())) }))
      .where('key_id', '=', keyId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new KeyRuleError('key', 'No such key.');
    }
  }

  /**
   * Authenticates a key used from this address; undefined if it is unknown, wrong, expired, revoked or used from another
   * network, without distinction. The secret is compared first, so that only its holder could measure the other checks.
   */
  async authenticate(presented: string, address: string): Promise<Principal | undefined> {
    const parts = parseKey(presented);
    if (parts === undefined) {
      return undefined;
    }
    const row = await this.#lookUp.first(parts.keyId);
    // A successful lookup takes some microseconds longer than an unsuccessful one, enough to reveal which key ids exist.
    // So every rejection does one of each, and compares with the secret of an existing key.
    const compared = row ?? (await this.#lookUp.first(this.#someId));
    const same = timingSafeEqual(hashOf(parts.secret), compared?.secret_hash ?? nobodysHash);
    this.#someId = compared?.key_id ?? nobodysId;
    if (row === undefined) {
      return undefined;
    }
    if (!same) {
      await this.#lookUp.first(nobodysId);
      return undefined;
    }
    const now = this.#now();
    if (!isLive(row, now) || !isRole(row.role)) {
      return undefined;
    }
    if (row.cidrs !== '[]' && !new CidrList(strings(row.cidrs)).allows(address)) {
      return undefined;
    }
    this.#lastUsed.note(row.key_id, now, row.last_used_ms);
    return {
      kind: 'key',
      teamId: row.team_id,
      role: row.role,
      scopes: strings(row.scopes) as Scope[],
      keyId: row.key_id,
      label: row.label,
    };
  }

  /** Writes pending updates. */
  async close(): Promise<void> {
    await this.#lastUsed.flush();
  }
}

function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function isLive(row: Pick<KeyRow, 'revoked_ms' | 'expires_ms'>, now: number): boolean {
  return row.revoked_ms === null && now < row.expires_ms;
}

async function insertKey(
  db: Kysely<AccessSchema>,
  row: Omit<KeyRow, 'key_id' | 'secret_hash' | 'last_used_ms' | 'revoked_ms'>,
): Promise<MadeKey> {
  const parts = newKeyParts();
  await db
    .insertInto('keys')
    .values({
      ...row,
      key_id: parts.keyId,
      secret_hash: hashOf(parts.secret),
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

function strings(json: string): string[] {
  return JSON.parse(json) as string[];
}

function checkedCidrs(cidrs: readonly string[]): readonly string[] {
  try {
    new CidrList(cidrs);
    return cidrs;
  } catch (error) {
    if (error instanceof CidrError) {
      throw new KeyRuleError('cidr', error.message);
    }
    throw error;
  }
}
