import type { Dice } from '../testing/dice.testing.ts';
import type { SimulatedContent } from './simulated-content.testing.ts';

export type Node = SimulatedContent | SimulatedFolder;

/** Names that change together or not at all; undefined takes a name away. */
type Change = readonly (readonly [name: string, node: Node | undefined])[];

/** A change that is not on the medium yet; a file or folder that moves changes two folders at once, as journals have it. */
interface Unsynced {
  readonly change: Change;
  /** What has to be on the medium with it. */
  readonly other: (() => void) | undefined;
}

/** The names in a folder: as processes see them, and as they are on the medium. */
export class SimulatedFolder {
  readonly seen = new Map<string, Node>();
  readonly #kept = new Map<string, Node>();
  #unsynced: Unsynced[] = [];

  change(change: Change): void {
    this.#add({ change, other: undefined });
  }

  /** What has one name here gets another in a folder elsewhere. */
  move(name: string, to: SimulatedFolder, newName: string): void {
    const node = this.seen.get(name);
    const gone: Unsynced = {
      change: [[name, undefined]],
      other: () => {
        to.#syncUpTo(come);
      },
    };
    const come: Unsynced = {
      change: [[newName, node]],
      other: () => {
        this.#syncUpTo(gone);
      },
    };
    to.#add(come);
    this.#add(gone);
  }

  sync(): void {
    this.#keep(this.#unsynced.splice(0));
  }

  /** Each change reaches the medium, or waits for the next sync: journals lose no name and go on. */
  failSync(dice: Dice): void {
    const kept = this.#unsynced.filter(() => dice(2) === 0);
    this.#unsynced = this.#unsynced.filter((one) => !kept.includes(one));
    this.#keep(kept);
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

  #add(unsynced: Unsynced): void {
    apply(this.seen, unsynced.change);
    this.#unsynced.push(unsynced);
  }

  /** All up to this one, if it waits: what came before it under the same name must not come back. */
  #syncUpTo(last: Unsynced): void {
    this.#keep(this.#unsynced.splice(0, this.#unsynced.indexOf(last) + 1));
  }

  #keep(changes: readonly Unsynced[]): void {
    for (const { change, other } of changes) {
      apply(this.#kept, change);
      other?.();
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
