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
import type { KeyLookUp, KeyRow } from './key-look-up.ts';
import { LastUsed } from './last-used.ts';

export interface NewKey {
  readonly teamId: string;
  readonly teamName?: string | undefined;
  readonly role: Role;
  readonly label: string;
  /** For the role integration, and there at least one. */
  readonly scopes?: readonly string[] | undefined;
  /** Default: in 90 days. At most 365 days away. */
  readonly expires?: Date | undefined;
  /** Default: from anywhere. */
  readonly cidrs?: readonly string[] | undefined;
}

/** `key` is the only copy of the secret there will ever be. */
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

/** Compared where no key was found yet. */
const nobodysHash = hashOf('nobody');
/** Looked up in vain. */
const nobodysId = '0'.repeat(12);

/** The keys of all teams. Nothing is cached: a revocation holds for the next request on every process. */
export class KeyStore {
  readonly #db: Kysely<AccessSchema>;
  readonly #now: () => number;
  readonly #withWriteLock: WithWriteLock;
  readonly #lookUp: KeyLookUp;
  readonly #lastUsed: LastUsed;
  /** A key there is: the one found last. */
  #someId = nobodysId;

  constructor(
    db: Kysely<AccessSchema>,
    {
      now,
      withWriteLock,
      lookUp,
    }: { now: () => number; withWriteLock: WithWriteLock; lookUp: KeyLookUp },
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
   * Makes the successor of a live key: same team, role, scopes, label and networks, a new secret and expiry. Both are
   * good until the old one's overlap ends; a third is refused, so that no forgotten key stays behind.
   *
   * @throws KeyRuleError where the key is unknown or not live, or itself the successor of one that still is
   */
  async rotate(
    keyId: string,
    asked: { readonly expires?: Date | undefined; readonly overlapMs?: number | undefined } = {},
  ): Promise<MadeKey & { readonly oldExpires: Date }> {
    const now = this.#now();
    const overlap = asked.overlapMs ?? DEFAULT_OVERLAP_MS;
    if (!(overlap >= 0)) {
      throw new KeyRuleError('overlap', 'The overlap cannot be negative.');
    }
    const expires = expiryOf(now, asked.expires);
    return await this.#withWriteLock(this.#db, async (transaction) => {
      const old = await transaction
        .selectFrom('keys')
        .selectAll()
        .where('key_id', '=', keyId)
        .executeTakeFirst();
      if (old === undefined) {
        throw new KeyRuleError('key', 'There is no such key.');
      }
      if (!isLive(old, now)) {
        throw new KeyRuleError('key', 'This key is revoked or expired; create a new one.');
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
          `Two keys of this line are live already; revoke ${other.key_id} first, or let it expire.`,
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

  /** Puts a key out of force at once, for good. Revoking it again changes nothing. @throws KeyRuleError where unknown */
  async revoke(keyId: string): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('keys')
      .set((row) => ({ revoked_ms: row.fn.coalesce('revoked_ms', row.val(this.#now())) }))
      .where('key_id', '=', keyId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new KeyRuleError('key', 'There is no such key.');
    }
  }

  /**
   * Who presents this key from this address; undefined where it is unknown, wrong, expired, revoked or from elsewhere,
   * which of them is never told. The secret is compared first, so that only its holder could measure the rest.
   */
  async authenticate(presented: string, address: string): Promise<Principal | undefined> {
    const parts = parseKey(presented);
    if (parts === undefined) {
      return undefined;
    }
    const row = await this.#lookUp.first(parts.keyId);
    // A look-up that finds takes some microseconds longer than one in vain, enough to tell which key ids there are. So
    // each refusal of a secret does one of both, and compares with the secret of a key there is.
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

  /** Writes what is still to be written. */
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
