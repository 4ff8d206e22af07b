import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeWhole } from '../files/whole-file.ts';
import { integer, object, text } from '../../bridge/schema.ts';
import type { TypeOf } from '../../bridge/schema.ts';

const memorySchema = object({
  /** Random: the place in staged releases. */
  deskId: text(36, 36),
  newestSeen: integer(0, Number.MAX_SAFE_INTEGER),
});
type Memory = TypeOf<typeof memorySchema>;

/** What a desk remembers about updates. */
export class UpdateMemory {
  readonly #path: string;
  #memory: Memory;

  constructor(folder: string) {
    this.#path = join(folder, 'updates.json');
    const stored = memorySchema(readJson(this.#path));
    this.#memory = stored.ok ? stored.value : { deskId: randomUUID(), newestSeen: 0 };
  }

  get deskId(): string {
    return this.#memory.deskId;
  }

  get newestSeen(): number {
    return this.#memory.newestSeen;
  }

  /** Ignores anything older from now on. */
  saw(issued: number): void {
    if (issued <= this.#memory.newestSeen) return;
    this.#memory = { ...this.#memory, newestSeen: issued };
    writeWhole(this.#path, JSON.stringify(this.#memory));
  }
}
