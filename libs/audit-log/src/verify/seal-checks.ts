import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AuditBrokenError } from '../errors.ts';
import { sealText, type Seal } from '../note/seal.ts';

const verifyOnThread = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify);

/** Seals whose check goes on at the same time; more would only take memory. */
const mostAtOnce = 512;

/** Checks the signatures of seals on the threads of Node's pool, in any order, and names the first that is wrong. */
export class SealChecks {
  readonly #origin: string;
  #waiting: Promise<void>[] = [];
  #wrong: number | undefined;
  #key: { readonly original: KeyObject; readonly bytes: Buffer } | undefined;
  /** One for each check that goes on: who asks for a check waits while a thread uses the same key object. */
  #copies: KeyObject[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostAtOnce;
  }

  /** @param first number of the first record of its group */
  add(seal: Seal, first: number, key: KeyObject): void {
    const text = Buffer.from(sealText(this.#origin, seal));
    const checked = verifyOnThread(null, text, this.#copyOf(key), seal.signature).then((isGood) => {
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

  #copyOf(key: KeyObject): KeyObject {
    if (this.#key?.original !== key) {
      this.#key = { original: key, bytes: key.export({ type: 'spki', format: 'der' }) };
      this.#copies = [];
    }
    const { bytes } = this.#key;
    return (this.#copies[this.#waiting.length] ??= createPublicKey({
      key: bytes,
      type: 'spki',
      format: 'der',
    }));
  }
}

export function wrongSeal(first: number): AuditBrokenError {
  return new AuditBrokenError(
    'bad_signature',
    `The seal of the group that begins with record ${first} has no valid signature`,
    first,
  );
}
