import type { Piece, Refusal } from '@caregate/hl7v2';
import { toOperatorError } from '../../config/to-operator-error.ts';
import { refuseMessage, type Answer, type MessageTaker } from './message-taker.ts';

/** Processes the messages of all connections one after the other. */
export class MessageQueue {
  readonly #taker: Pick<MessageTaker, 'take'>;
  readonly #onFailure: (error: unknown) => void;
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(taker: Pick<MessageTaker, 'take'>, onFailure: (error: unknown) => void) {
    this.#taker = taker;
    this.#onFailure = onFailure;
  }

  /** Resolves to the answer, or to undefined if the queue was stopped before the message was processed. */
  answer(piece: Piece): Promise<Answer | undefined> {
    const answer = this.#last.then(() => (this.#isStopped ? undefined : this.#take(piece)));
    this.#last = answer;
    return answer;
  }

  /** Stops the queue. Resolves when the message in progress is finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#last;
  }

  async #take(piece: Piece): Promise<Answer | undefined> {
    try {
      return (await this.#taker.take([piece]))[0];
    } catch (error) {
      this.#onFailure(toOperatorError(error));
      return refuseMessage(piece, NOT_TAKEN);
    }
  }
}

const NOT_TAKEN: Refusal = {
  ...{ ack: 'AR', error: 'internal' },
  message: 'The message could not be stored. Send it again later.',
};
