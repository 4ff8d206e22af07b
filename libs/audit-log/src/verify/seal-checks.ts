import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AuditBrokenError } from '../errors.ts';
import { sealText, type Seal } from '../note/seal.ts';

const verifyOnThread = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify);

/** A key object is used by one thread at a time, and who asks for a check with it waits, too. */
const copiesOfKey = 16;

/** Seals whose check goes on at the same time; more would only take memory. */
const mostAtOnce = 512;

/** Checks the signatures of seals on the threads of Node's pool, in any order, and names the first that is wrong. */
export class SealChecks {
  readonly #origin: string;
  #waiting: Promise<void>[] = [];
  #wrong: number | undefined;
  readonly #copies = new Map<KeyObject, readonly KeyObject[]>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostAtOnce;
  }

  /** @param first number of the first record of its group */
  add(seal: Seal, first: number, key: KeyObject): void {
    const text = Buffer.from(sealText(this.#origin, seal));
    const copies = this.#copiesOf(key);
    const copy = copies[this.#waiting.length % copiesOfKey] as KeyObject;
    const checked = verifyOnThread(null, text, copy, seal.signature).then((isGood) => {
      if (!isGood) {
        this.#wrong = Math.min(first, this.#wrong ?? first);
      }
    });
    this.#waiting.push(checked);
  }

  /** Waits for all that were added. @throws AuditBrokenError */
  async settle(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await Promise.all(waiting);
    if (this.#wrong !== undefined) {
      throw wrongSeal(this.#wrong);
    }
  }

  #copiesOf(key: KeyObject): readonly KeyObject[] {
    let copies = this.#copies.get(key);
    if (copies === undefined) {
      const bytes = key.export({ type: 'spki', format: 'der' });
      copies = Array.from({ length: copiesOfKey }, () =>
        createPublicKey({ key: bytes, type: 'spki', format: 'der' }),
      );
      this.#copies.set(key, copies);
    }
    return copies;
  }
}

export function wrongSeal(first: number): AuditBrokenError {
  return new AuditBrokenError(
    'bad_signature',
    `The seal of the group that begins with record ${first} has no valid signature`,
    first,
  );
}
