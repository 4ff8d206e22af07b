import type { Kysely, Selectable } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import { LruMap } from 'toad-cache';
import { CidrList } from '../../config/cidr-list.ts';
import { isRole, type Scope } from '../../operations/roles.ts';
import type { AccessSchema } from '../access-schema.ts';
import type { KeyPrincipal } from '../principal.ts';
import { hashOf, readKey, type PresentedKey } from './key-format.ts';
import { type Prepare, PreparedQuery } from '@caregate/data-store/database';

const nobodysHash = hashOf('nobody');
const nobodysId = '0'.repeat(12);

export class KeyCheck {
  readonly #now: () => number;
  readonly #lookUp: KeyLookup;
  readonly #lastUsed: LastUsed;
  readonly #cached: KeyCache | undefined;
  /** Of an existing key: the one found last. */
  #someId = nobodysId;

  constructor(
    db: Kysely<AccessSchema>,
    parts: {
      readonly now: () => number;
      readonly lookUp: KeyLookup;
      readonly version: (() => number) | undefined;
    },
  ) {
    this.#now = parts.now;
    this.#lookUp = parts.lookUp;
    this.#lastUsed = new LastUsed(db);
    this.#cached = parts.version && new KeyCache(parts.version);
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
    const row = await this.#lookUp.first({ id: key.keyId });
    // A look-up that finds a key takes longer, which would reveal the ids of keys: every rejection does one of each kind.
    const compared = row ?? (await this.#lookUp.first({ id: this.#someId }));
    const same = timingSafeEqual(key.secretHash, compared?.secret_hash ?? nobodysHash);
    this.#someId = compared?.key_id ?? nobodysId;
    if (row === undefined) {
      return undefined;
    }
    if (!same) {
      await this.#lookUp.first({ id: nobodysId });
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

const MOST_CACHED = 1000;

interface CachedKey {
  readonly row: KeyRow;
  readonly made: KeyPrincipal;
}

/** Emptied when the database changes, which each use checks. No refusals: they cost the same whether a key exists or not. */
export class KeyCache {
  readonly #version: () => number;
  readonly #cached = new LruMap<CachedKey>(MOST_CACHED);
  #cachedAt: number | undefined;

  constructor(version: () => number) {
    this.#version = version;
  }

  /** The version last asked for; rows read from now on are at least as new. */
  get cachedAt(): number | undefined {
    return this.#cachedAt;
  }

  find({ keyId, secretHash }: PresentedKey): CachedKey | undefined {
    const version = this.#version();
    if (version !== this.#cachedAt) {
      this.#cached.clear();
      this.#cachedAt = version;
    }
    const cached = this.#cached.get(keyId);
    const same = timingSafeEqual(secretHash, cached?.row.secret_hash ?? nobodysHash);
    return same ? cached : undefined;
  }

  /** @param readAt `cachedAt` before the row was read; ignored if the version has changed since */
  add(cached: CachedKey, readAt: number | undefined): void {
    if (readAt !== undefined && readAt === this.#cachedAt) {
      this.#cached.set(cached.row.key_id, cached);
    }
  }
}

const minuteMs = 60_000;
const delayMs = 2000;

/** Minute precision, in delayed batches that hold up no response. */
export class LastUsed {
  readonly #db: Kysely<AccessSchema>;
  readonly #waiting = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<AccessSchema>) {
    this.#db = db;
  }

  note(keyId: string, nowMs: number, writtenMs: number | null): void {
    const minute = Math.floor(nowMs / minuteMs) * minuteMs;
    if (writtenMs !== null && writtenMs >= minute) {
      return;
    }
    this.#waiting.set(keyId, minute);
    this.#flushLater();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Never throws: failed updates are retried. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // In one order, to avoid deadlocks between instances.
    const batch = [...this.#waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#waiting.clear();
    if (batch.length === 0) {
      return;
    }
    try {
      await this.#db.transaction().execute(async (transaction) => {
        for (const [keyId, minute] of batch) {
          await transaction
            .updateTable('keys')
            .set({ last_used_ms: minute })
            .where('key_id', '=', keyId)
            .where((where) =>
              where.or([where('last_used_ms', 'is', null), where('last_used_ms', '<', minute)]),
            )
            .execute();
        }
      });
    } catch {
      for (const [keyId, minute] of batch) {
        this.#waiting.set(keyId, Math.max(minute, this.#waiting.get(keyId) ?? 0));
      }
      this.#flushLater();
    }
  }
}

export type KeyRow = Selectable<AccessSchema['keys']>;

export function isLive(row: Pick<KeyRow, 'revoked_ms' | 'expires_ms'>, now: number): boolean {
  return row.revoked_ms === null && now < row.expires_ms;
}

export type KeyLookup = PreparedQuery<{ id: string }, KeyRow>;

export function keyLookup(db: Kysely<AccessSchema>, prepare: Prepare): KeyLookup {
  return new PreparedQuery(prepare, (slot) =>
    db.selectFrom('keys').selectAll().where('key_id', '=', slot('id')),
  );
}

export function strings(json: string): string[] {
  return JSON.parse(json) as string[];
}
