import { posix } from 'node:path';
import { seededDice, type Dice } from '../testing/dice.testing.ts';
import type { Disk, DiskFile } from './disk.ts';
import { SimulatedContent } from './simulated-content.testing.ts';
import { SimulatedFolder, type Node } from './simulated-folder.testing.ts';

export interface SimulatedDiskOptions {
  readonly seed: number;
  /** Of 10,000 calls, how many fail. */
  readonly failing?: number;
}

/** The process was stopped at a call of the disk: it does nothing more, whatever it catches. */
export class ProcessStopped extends Error {
  override readonly name = 'ProcessStopped';
}

/** What a call does: whole; or in part, as when it fails or the process stops in the middle of it. */
interface Effect<T> {
  readonly whole: () => T;
  readonly inPart?: (stops: boolean) => void;
  /** Whether it takes room on the disk. */
  readonly grows?: boolean;
}

/**
 * A disk in memory that does all that disks may do, from one seed: what was not synced is lost, torn or kept in any order,
 * calls fail, the process stops at any call. The same seed and the same calls give the same history.
 */
export class SimulatedDisk implements Disk {
  /** Of 10,000 calls, how many fail. */
  failing: number;
  /** The process stops at this call, counted from 1. */
  stopAt = Number.POSITIVE_INFINITY;
  /** Bytes that fit; what goes beyond fails with ENOSPC. */
  room = Number.POSITIVE_INFINITY;
  /** No sync does anything, though it says so. */
  ignoresSyncs = false;
  calls = 0;
  readonly #dice: Dice;
  readonly #root = new SimulatedFolder();
  #lives = 0;
  #isStopped = false;

  constructor({ seed, failing = 0 }: SimulatedDiskOptions) {
    this.#dice = seededDice(seed);
    this.failing = failing;
  }

  open(path: string): DiskFile {
    return this.#call({ whole: () => this.#handle(this.#file(path)) });
  }

  create(path: string): DiskFile {
    const make = (): SimulatedContent => {
      const [folder, name] = this.#place(path);
      if (folder.seen.has(name)) {
        throw failure('EEXIST', path);
      }
      const file = new SimulatedContent();
      folder.change([[name, file]]);
      return file;
    };
    return this.#call({ whole: () => this.#handle(make()), inPart: make, grows: true });
  }

  read(path: string): Buffer | undefined {
    return this.#call({
      whole: () => {
        const node = this.#find(path);
        return node instanceof SimulatedContent ? node.read(0, node.size) : undefined;
      },
    });
  }

  list(folder: string): string[] {
    return this.#call({
      whole: () => {
        const node = this.#find(folder);
        return node instanceof SimulatedFolder ? [...node.seen.keys()].sort() : [];
      },
    });
  }

  makeFolder(path: string): void {
    const make = (): void => {
      const [folder, name] = this.#place(path);
      if (!folder.seen.has(name)) {
        folder.change([[name, new SimulatedFolder()]]);
      }
    };
    this.#call({ whole: make, inPart: make, grows: true });
  }

  rename(from: string, to: string): void {
    const move = (): void => {
      const [source, oldName] = this.#place(from);
      const [target, newName] = this.#place(to);
      const node = source.seen.get(oldName);
      const replaced = target.seen.get(newName);
      if (node === undefined) {
        throw failure('ENOENT', from);
      }
      if (replaced instanceof SimulatedFolder && replaced.seen.size > 0) {
        throw failure('ENOTEMPTY', to);
      }
      if (source === target) {
        source.change([
          [oldName, undefined],
          [newName, node],
        ]);
      } else {
        source.move(oldName, target, newName);
      }
    };
    this.#call({ whole: move, inPart: move });
  }

  remove(path: string): void {
    const takeAway = (): void => {
      this.#file(path);
      const [folder, name] = this.#place(path);
      folder.change([[name, undefined]]);
    };
    this.#call({ whole: takeAway, inPart: takeAway });
  }

  syncFolder(path: string): void {
    const folder = (): SimulatedFolder => {
      const node = this.#find(path);
      if (!(node instanceof SimulatedFolder)) {
        throw failure('ENOENT', path);
      }
      return node;
    };
    this.#call({
      whole: () => {
        const found = folder();
        if (!this.ignoresSyncs) {
          found.sync();
        }
      },
      inPart: (stops) => {
        if (stops && !this.ignoresSyncs) {
          folder().sync();
        } else if (!stops) {
          folder().failSync(this.#dice);
        }
      },
    });
  }

  /** The process ends, if it has not yet, and another may begin on what is left after this. */
  restart(after: 'kill' | 'power cut'): void {
    this.#lives += 1;
    this.#isStopped = false;
    this.stopAt = Number.POSITIVE_INFINITY;
    if (after === 'power cut') {
      this.#root.cutPower(this.#dice);
    }
  }

  /** All files by their paths. No call: nothing fails or stops. */
  files(): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    for (const [path, file] of this.#all()) {
      found.set(path, file.read(0, file.size));
    }
    return found;
  }

  /** Somebody writes this file, durably and with its folders; undefined removes it. No call. */
  plant(path: string, bytes: Uint8Array | undefined): void {
    let folder = this.#root;
    for (const name of namesOf(posix.dirname(path))) {
      const next = folder.seen.get(name) ?? new SimulatedFolder();
      if (!(next instanceof SimulatedFolder)) {
        throw failure('ENOTDIR', path);
      }
      folder.change([[name, next]]);
      folder.sync();
      folder = next;
    }
    const node = bytes === undefined ? undefined : new SimulatedContent(bytes);
    folder.change([[posix.basename(path), node]]);
    folder.sync();
  }

  /** One bit somewhere in the files flips at rest. Gives the place; undefined if there is nothing. */
  flipBit(
    isMeant: (path: string) => boolean = () => true,
  ): { path: string; at: number } | undefined {
    const files = [...this.#all()].filter(([path, { size }]) => size > 0 && isMeant(path));
    let bit = this.#dice(Math.max(1, 8 * files.reduce((sum, [, { size }]) => sum + size, 0)));
    for (const [path, file] of files) {
      if (bit < 8 * file.size) {
        file.flipBit(bit);
        return { path, at: Math.floor(bit / 8) };
      }
      bit -= 8 * file.size;
    }
    return undefined;
  }

  #handle(file: SimulatedContent): DiskFile {
    const life = this.#lives;
    let isOpen = true;
    let end = file.size;
    const put = (bytes: Uint8Array, at: number): void => {
      file.write(bytes, at);
    };
    const call = <T>(effect: Effect<T>): T => {
      if (!isOpen || life !== this.#lives) {
        throw failure('EBADF', 'a file that is closed');
      }
      return this.#call(effect);
    };
    return {
      size: () => call({ whole: () => file.size }),
      read: (at, length, into) =>
        call({
          whole: () => {
            const bytes = file.read(at, length);
            return into !== undefined && into.length >= length
              ? into.subarray(0, bytes.copy(into))
              : bytes;
          },
        }),
      append: (bytes) => {
        call({
          whole: () => {
            put(bytes, end);
          },
          inPart: () => {
            put(bytes.subarray(0, this.#dice(bytes.length + 1)), end);
          },
          grows: true,
        });
        end += bytes.length;
      },
      reserve: (bytes) => {
        try {
          call({
            whole: () => {
              put(Buffer.alloc(bytes), end);
            },
            inPart: () => {
              put(Buffer.alloc(this.#dice(bytes + 1)), end);
            },
            grows: true,
          });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') {
            throw error;
          }
        }
      },
      sync: () => {
        call({
          whole: () => {
            if (!this.ignoresSyncs) {
              file.sync();
            }
          },
          inPart: (stops) => {
            if (stops && !this.ignoresSyncs) {
              file.sync();
            } else if (!stops) {
              file.failSync(this.#dice);
            }
          },
        });
      },
      truncate: (size) => {
        const cut = (): void => {
          file.truncate(size);
          end = size;
        };
        call({ whole: cut, inPart: cut });
      },
      close: () => {
        call({ whole: () => undefined });
        isOpen = false;
      },
    };
  }

  #call<T>({ whole, inPart, grows = false }: Effect<T>): T {
    if (this.#isStopped) {
      throw new ProcessStopped('The process was stopped');
    }
    this.calls += 1;
    const stops = this.calls === this.stopAt;
    const isFull = grows && this.room < Number.POSITIVE_INFINITY && this.#used() >= this.room;
    if (stops || isFull || (this.failing > 0 && this.#dice(10_000) < this.failing)) {
      // Before the part, which may fail itself: a file to be removed that is not there.
      this.#isStopped = stops;
      if (this.#dice(2) === 0) {
        inPart?.(stops);
      }
      throw stops
        ? new ProcessStopped(`The process was stopped at call ${this.calls}`)
        : failure(isFull || (grows && this.#dice(2) === 0) ? 'ENOSPC' : 'EIO', 'a simulated call');
    }
    return whole();
  }

  #used(): number {
    return [...this.#all()].reduce((sum, [, { size }]) => sum + size, 0);
  }

  *#all(folder = this.#root, path = ''): Generator<[string, SimulatedContent]> {
    for (const [name, node] of folder.seen) {
      if (node instanceof SimulatedContent) {
        yield [`${path}/${name}`, node];
      } else {
        yield* this.#all(node, `${path}/${name}`);
      }
    }
  }

  #find(path: string): Node | undefined {
    return namesOf(path).reduce<Node | undefined>(
      (node, name) => (node instanceof SimulatedFolder ? node.seen.get(name) : undefined),
      this.#root,
    );
  }

  #file(path: string): SimulatedContent {
    const node = this.#find(path);
    if (!(node instanceof SimulatedContent)) {
      throw failure('ENOENT', path);
    }
    return node;
  }

  #place(path: string): [folder: SimulatedFolder, name: string] {
    const folder = this.#find(posix.dirname(path));
    if (!(folder instanceof SimulatedFolder)) {
      throw failure('ENOENT', path);
    }
    return [folder, posix.basename(path)];
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function failure(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
