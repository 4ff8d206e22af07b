import type { Kysely } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import { LruMap } from 'toad-cache';
import { CidrList } from '../../http/address/cidr-list.ts';
import { isRole, type Scope } from '../../operations/roles.ts';
import type { AccessSchema } from '../access-schema.ts';
import type { KeyPrincipal } from '../principal.ts';
import { KeyCache } from './key-cache.ts';
import { hashOf, readKey, type PresentedKey } from './key-format.ts';
import type { RowLookup } from '../row-lookup.ts';
import { isLive, strings, type KeyRow } from './key-lookup.ts';
import { LastUsed } from './last-used.ts';

const nobodysHash = hashOf('nobody');
const nobodysId = '0'.repeat(12);

/** Reads the database for each request, or knows that nothing has changed in it. */
export class KeyCheck {
  readonly #now: () => number;
  readonly #lookUp: RowLookup<KeyRow>;
  readonly #lastUsed: LastUsed;
  readonly #cached: KeyCache<KeyPrincipal> | undefined;
  /** Of an existing key: the one found last. */
  #someId = nobodysId;

  constructor(
    db: Kysely<AccessSchema>,
    parts: {
      readonly now: () => number;
      readonly lookUp: RowLookup<KeyRow>;
      readonly version: (() => number) | undefined;
    },
  ) {
    this.#now = parts.now;
    this.#lookUp = parts.lookUp;
    this.#lastUsed = new LastUsed(db);
    this.#cached = parts.version && new KeyCache(parts.version, nobodysHash);
  }

  /** Undefined for every refusal. Compares the secret first, so that only its holder could measure the other checks. */
  async authenticate(
    presented: string | PresentedKey,
    address: string,
  ): Promise<KeyPrincipal | undefined> {
    const key = typeof presented === 'string' ? readKey(presented) : presented;
    if (key === undefined) {
      return undefined;
    }
    const readAt = this.#cached?.cachedAt;
    const row = await this.#lookUp.first(key.keyId);
    // A successful lookup takes some microseconds longer than an unsuccessful one, enough to reveal which key ids exist.
    // So every rejection does one of each, and compares with the secret of an existing key.
    const compared = row ?? (await this.#lookUp.first(this.#someId));
    const same = timingSafeEqual(key.secretHash, compared?.secret_hash ?? nobodysHash);
    this.#someId = compared?.key_id ?? nobodysId;
    if (row === undefined) {
      return undefined;
    }
    if (!same) {
      await this.#lookUp.first(nobodysId);
      return undefined;
    }
    const { role } = row;
    if (!isRole(role)) {
      return undefined;
    }
    const made: KeyPrincipal = {
      kind: 'key',
      teamId: row.team_id,
      role,
      scopes: scopesOf(row.scopes),
      keyId: row.key_id,
      label: row.label,
    };
    if (!this.#allows(row, address)) {
      return undefined;
    }
    this.#cached?.add({ row, made }, readAt);
    return made;
  }

  /** Without waiting, for a cached key; still checks clock and network. Undefined: use `authenticate`. */
  authenticatedBefore(key: PresentedKey, address: string): KeyPrincipal | undefined {
    const cached = this.#cached?.find(key);
    return cached !== undefined && this.#allows(cached.row, address) ? cached.made : undefined;
  }

  #allows(row: KeyRow, address: string): boolean {
    const now = this.#now();
    if (!isLive(row, now) || (row.cidrs !== '[]' && !networksOf(row.cidrs).allows(address))) {
      return false;
    }
    this.#lastUsed.note(row.key_id, now, row.last_used_ms);
    return true;
  }

  async close(): Promise<void> {
    await this.#lastUsed.flush();
  }
}

/** Parses each distinct text once. */
function memoized<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const known = new LruMap<Parsed>(1000);
  return (text) => {
    let parsed = known.get(text);
    if (parsed === undefined) {
      parsed = parse(text);
      known.set(text, parsed);
    }
    return parsed;
  };
}

const scopesOf = memoized((json): readonly Scope[] => Object.freeze(strings(json) as Scope[]));
const networksOf = memoized((json) => new CidrList(strings(json)));
