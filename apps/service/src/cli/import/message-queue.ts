import { setImmediate } from 'node:timers/promises';
import { OperatorError } from '../../config/operator-error.ts';
import type { Piece, Refusal } from '@caregate/hl7v2';
import { operatorError } from '../start/run-command.ts';
import {
  AT_ONCE,
  BYTES_AT_ONCE,
  refusalOf,
  type Answer,
  type MessageTaker,
} from './message-taker.ts';

interface Queued {
  readonly piece: Piece;
  readonly resolve: (answer: Answer | undefined) => void;
}

/** Messages that come while others are taken are taken next, together. */
export class MessageQueue {
  readonly #taker: Pick<MessageTaker, 'take'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #queued: Queued[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;

  /** @param onFailure told why messages could not be taken */
  constructor(taker: Pick<MessageTaker, 'take'>, onFailure: (error: unknown) => void) {
    this.#taker = taker;
    this.#onFailure = onFailure;
  }

  /** Undefined: the queue was stopped before its turn. */
  async answer(piece: Piece): Promise<Answer | undefined> {
    if (this.#isStopped) {
      return undefined;
    }
    return await new Promise((resolve) => {
      this.#queued.push({ piece, resolve });
      this.#running ??= this.#run();
    });
  }

  /** Ends after the messages in hand. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queued.splice(0).forEach(({ resolve }) => {
      resolve(undefined);
    });
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queued.length > 0) {
      // SQLite blocks: what has arrived meanwhile must be read first.
      await setImmediate();
      const together = this.#next();
      const answers = await this.#take(together.map(({ piece }) => piece));
      together.forEach(({ resolve }, at) => {
        resolve(answers[at]);
      });
    }
    this.#running = undefined;
  }

  #next(): Queued[] {
    let [count, bytes] = [0, 0];
    for (const { piece } of this.#queued) {
      if (count >= AT_ONCE || bytes >= BYTES_AT_ONCE) {
        break;
      }
      count += 1;
      bytes += 'bytes' in piece ? piece.bytes.length : 0;
    }
    return this.#queued.splice(0, count);
  }

  async #take(pieces: readonly Piece[]): Promise<Answer[]> {
    try {
      return await this.#taker.take(pieces);
    } catch (error) {
      const known = operatorError(error);
      if (!(known instanceof OperatorError) && pieces.length > 1) {
        // One of them may be the cause.
        const answers: Answer[] = [];
        for (const piece of pieces) {
          answers.push(...(await this.#take([piece])));
        }
        return answers;
      }
      this.#onFailure(known);
      return pieces.map((piece) => refusalOf(piece, NOT_TAKEN));
    }
  }
}

const NOT_TAKEN: Refusal = {
  ...{ ack: 'AR', error: 'internal' },
  message: 'The message could not be stored. Send it again later.',
};
