import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AuditBrokenError } from '../errors.ts';
import { sealText, type Seal } from '../note/seal.ts';

const verifyOnThread = promisify<null, Buffer, KeyObject, Buffer, boolean>(verify);

/** More would only take memory. */
const mostAtOnce = 512;

/** Checks seals on Node's thread pool and reports the first invalid one. */
export class SealChecks {
  readonly #origin: string;
  #waiting: Promise<void>[] = [];
  #wrong: number | undefined;
  #key: { readonly original: KeyObject; readonly bytes: Buffer } | undefined;
  /** One key object per check: sharing one makes the caller wait for the thread that uses it. */
  #copies: KeyObject[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  get isFull(): boolean {
    return this.#waiting.length >= mostAtOnce;
  }

  add(seal: Seal, first: number, key: KeyObject): void {
    const text = Buffer.from(sealText(this.#origin, seal));
    const checked = verifyOnThread(null, text, this.#copyOf(key), seal.signature).then((isGood) => {
      if (!isGood) {
        this.#wrong = Math.min(first, this.#wrong ?? first);
      }
    });
    this.#waiting.push(checked);
  }

  /** Waits for all checks. @throws AuditBrokenError */
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
