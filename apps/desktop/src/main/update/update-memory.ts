import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  readonly #folder: string;
  #memory: Memory;

  constructor(folder: string) {
    this.#folder = folder;
    this.#memory = read(join(folder, 'updates.json')) ?? { deskId: randomUUID(), newestSeen: 0 };
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
    this.#write();
  }

  #write(): void {
    mkdirSync(this.#folder, { recursive: true });
    const half = join(this.#folder, 'updates.json.new');
    writeFileSync(half, JSON.stringify(this.#memory), { mode: 0o600 });
    renameSync(half, join(this.#folder, 'updates.json'));
  }
}

function read(file: string): Memory | undefined {
  try {
    const found = memorySchema(JSON.parse(readFileSync(file, 'utf8')));
    return found.ok ? found.value : undefined;
  } catch {
    return undefined;
  }
}
