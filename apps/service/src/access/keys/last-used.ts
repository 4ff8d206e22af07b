import type { Kysely } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';

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
    }
  }
}
