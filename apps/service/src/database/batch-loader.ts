/** Keys per statement; spare slots are filled, so that the text and plan of the statement are always the same. */
export const maxBatchSize = 16;

/** Further keys wait for the next batch: under load, batches are few and full. */
const maxConcurrentBatches = 4;

interface PendingLookup<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** A round trip costs more than a look-up. Nothing is cached; a failure rejects all look-ups of its batch. */
export class BatchLoader<Row> {
  readonly #look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  readonly #waiting = new Map<string, PendingLookup<Row>[]>();
  #underWay = 0;
  #scheduled = false;

  constructor(look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {
    this.#look = look;
  }

  first(key: string): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) {
        this.#waiting.set(key, [{ resolve, reject }]);
      } else {
        waiting.push({ resolve, reject });
      }
      if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(() => {
          this.#scheduled = false;
          this.#send();
        });
      }
    });
  }

  #send(): void {
    while (this.#waiting.size > 0 && this.#underWay < maxConcurrentBatches) {
      const batch = new Map([...this.#waiting].slice(0, maxBatchSize));
      for (const key of batch.keys()) {
        this.#waiting.delete(key);
      }
      this.#underWay += 1;
      void this.#run(batch);
    }
  }

  async #run(batch: ReadonlyMap<string, readonly PendingLookup<Row>[]>): Promise<void> {
    const all = [...batch.values()].flat();
    try {
      const rows = await this.#look([...batch.keys()]);
      for (const [key, lookups] of batch) {
        lookups.forEach(({ resolve }) => {
          resolve(rows.get(key));
        });
      }
    } catch (error) {
      all.forEach(({ reject }) => {
        reject(error);
      });
    } finally {
      this.#underWay -= 1;
      this.#send();
    }
  }
}

export type KeySlots = Record<`key${number}`, string>;

export const keySlotNames = Array.from({ length: maxBatchSize }, (_, at) => `key${at}` as const);

export function keySlots(keys: readonly string[]): KeySlots {
  const last = keys.at(-1) ?? '';
  return Object.fromEntries(keySlotNames.map((name, at) => [name, keys[at] ?? last]));
}
