/** Keys of one statement at most: its slots, so that its text and its plan are the same for any number of them. */
export const keysAtOnce = 16;

/** Statements under way at once. While they are, further keys wait and become the next one: under load few, full ones. */
const statementsAtOnce = 4;

interface Asked<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks up rows by key, those that are asked for at the same time by one statement: a way to the server and back costs
 * more than the look-up. Nothing is kept: a statement is sent after each of its keys was asked for.
 *
 * @typeParam Row what `look` gives for each key that it finds; a failure fails those who asked for these keys
 */
export class BatchLoader<Row> {
  readonly #look: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  readonly #waiting = new Map<string, Asked<Row>[]>();
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
        // After all the requests that the network brought along with this one.
        setImmediate(() => {
          this.#scheduled = false;
          this.#send();
        });
      }
    });
  }

  #send(): void {
    while (this.#waiting.size > 0 && this.#underWay < statementsAtOnce) {
      const batch = new Map([...this.#waiting].slice(0, keysAtOnce));
      for (const key of batch.keys()) {
        this.#waiting.delete(key);
      }
      this.#underWay += 1;
      void this.#ask(batch);
    }
  }

  async #ask(batch: ReadonlyMap<string, readonly Asked<Row>[]>): Promise<void> {
    const all = [...batch.values()].flat();
    try {
      const rows = await this.#look([...batch.keys()]);
      for (const [key, asked] of batch) {
        asked.forEach(({ resolve }) => {
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

export const keySlotNames = Array.from({ length: keysAtOnce }, (_, at) => `key${at}` as const);

/** One key to {@link keysAtOnce} in the slots of a statement; spare ones ask for the last again. */
export function keySlots(keys: readonly string[]): KeySlots {
  const last = keys.at(-1) ?? '';
  return Object.fromEntries(keySlotNames.map((name, at) => [name, keys[at] ?? last]));
}
