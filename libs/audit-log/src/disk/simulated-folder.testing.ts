import type { Dice } from '../testing/dice.testing.ts';
import type { SimulatedContent } from './simulated-content.testing.ts';

export type Node = SimulatedContent | SimulatedFolder;

/** Names that change together or not at all; undefined takes a name away. */
type Change = readonly (readonly [name: string, node: Node | undefined])[];

/** The names in a folder: as processes see them, and as they are on the medium. */
export class SimulatedFolder {
  readonly seen = new Map<string, Node>();
  readonly #kept = new Map<string, Node>();
  #unsynced: Change[] = [];

  change(change: Change): void {
    apply(this.seen, change);
    this.#unsynced.push(change);
  }

  sync(): void {
    this.#unsynced.forEach((change) => {
      apply(this.#kept, change);
    });
    this.#unsynced = [];
  }

  /** Each change reaches the medium, or waits for the next sync: journals lose no name and go on. */
  failSync(dice: Dice): void {
    this.#unsynced = this.#unsynced.filter((change) => {
      const isKept = dice(2) === 0;
      if (isKept) {
        apply(this.#kept, change);
      }
      return !isKept;
    });
  }

  /** The power goes: each change that was not synced is lost or kept on its own, here and below. */
  cutPower(dice: Dice): void {
    this.failSync(dice);
    this.#unsynced = [];
    this.seen.clear();
    for (const [name, node] of this.#kept) {
      this.seen.set(name, node);
      node.cutPower(dice);
    }
  }
}

function apply(names: Map<string, Node>, change: Change): void {
  for (const [name, node] of change) {
    if (node === undefined) {
      names.delete(name);
    } else {
      names.set(name, node);
    }
  }
}
