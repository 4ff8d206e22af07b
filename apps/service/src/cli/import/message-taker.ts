import { randomBytes } from 'node:crypto';
import type { AuditAct } from '../../audit/audit-entries.ts';
import { acknowledge, type Header, type Piece, readMessage, type Refusal } from '@caregate/hl7v2';
import {
  type MessageStore,
  type Outcome,
  type PatientId,
  type Received,
  formatUuid,
} from '@caregate/data-store';
import type { CommandLog } from '../common/command-log.ts';

export interface TakerOptions {
  readonly store: MessageStore;
  readonly log: CommandLog;
  readonly team: Uint8Array;
  /** Which patient identifiers of a message are client user IDs. */
  readonly patientId: PatientId;
  readonly charset: string;
  /** Time in milliseconds to wait for another writer. */
  readonly waitMs: number;
  readonly onWaiting?: () => void;
}

export interface Answer {
  readonly header: Header | undefined;
  readonly outcome: Outcome;
  /** The acknowledgment without its MLLP frame. */
  readonly bytes: Buffer;
}

/** Numbers of messages by outcome, and of the orders in the accepted ones. */
export type MessageCounts = Record<(typeof COUNTED)[number], number>;
const COUNTED = [
  ...(['messages', 'taken', 'repeated', 'waiting', 'refused'] as const),
  ...(['added', 'updated', 'unchanged', 'stale'] as const),
];

/** Maximum number of messages of a file that are stored, or retried, in one transaction. */
export const AT_ONCE = 64;
/** Maximum size of the messages in one transaction. Parsed messages take several times as much memory. */
export const BYTES_AT_ONCE = 4 * 2 ** 20;

/**
 * Stores HL7 messages of laboratories. Each is recorded in the audit log before it is committed, and acknowledged
 * after that.
 */
export class MessageTaker {
  readonly total = createCounts();
  readonly #options: TakerOptions;
  readonly #import = randomBytes(4).toString('hex');

  constructor(options: TakerOptions) {
    this.#options = options;
  }

  /** Runs `work` and records its start and its end, the latter with its counts and result. @throws OperatorError */
  async run(how: AuditAct['details'], work: () => Promise<AuditAct['details']>): Promise<void> {
    const { log } = this.#options;
    await log.record({ operation: 'importStarted', ...this.#buildActFields(how) });
    const buildFinishedAct = (details: AuditAct['details'] = {}): AuditAct => ({
      operation: 'importFinished',
      ...this.#buildActFields({ ...how, ...countDetails(this.total), ...details }),
      record_count: this.total.messages,
    });
    let details;
    try {
      details = await work();
    } catch (error) {
      await log.recordFailure(buildFinishedAct());
      throw error;
    }
    await log.record(buildFinishedAct(details));
  }

  /** Stores the messages in one transaction. If it throws, none of them is stored. */
  async take(pieces: readonly Piece[]): Promise<Answer[]> {
    const { store, team, patientId, charset } = this.#options;
    const messages = pieces.map((piece) => parsePiece(piece, charset));
    const readable = messages.filter(({ received }) => received !== undefined);
    await this.#commit(readable.length > 0, async () => {
      for (const message of messages) {
        if (message.received !== undefined) {
          message.outcome = await store.take(team, patientId, message.received);
        }
      }
      return messages.map(({ outcome }) => outcome);
    });
    return messages.map(({ header, outcome }) => acknowledgeMessage(header, outcome));
  }

  /** Retries the waiting messages whose patients are known now. */
  async retry(): Promise<void> {
    const { store, team } = this.#options;
    const waiting = await store.listRetryable(team);
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      await this.#commit(true, async () => {
        const outcomes: Outcome[] = [];
        for (const message of waiting.slice(from, from + AT_ONCE)) {
          outcomes.push(...(await store.retry(message)));
        }
        return outcomes;
      });
    }
  }

  async #commit(writes: boolean, work: () => Promise<readonly Outcome[]>): Promise<void> {
    const { store, log, team, waitMs, onWaiting } = this.#options;
    await log.recordFirst(async (record) => {
      try {
        if (writes) {
          await store.begin(team, waitMs, onWaiting);
        }
        const counts = countOutcomes(await work());
        await record({
          ...{ operation: 'messagesTaken', ...this.#buildActFields(countDetails(counts)) },
          decision: counts.refused === counts.messages ? 'invalid' : 'allowed',
          record_count: counts.messages,
        });
        if (writes) {
          await store.commit();
        }
        COUNTED.forEach((name) => (this.total[name] += counts[name]));
      } catch (error) {
        await store.rollback();
        throw error;
      }
    });
  }

  #buildActFields(details: AuditAct['details']): Pick<AuditAct, 'team_id' | 'details'> {
    const team_id = formatUuid(this.#options.team);
    return { team_id, details: { import: this.#import, ...details } };
  }
}

interface Message {
  readonly header: Header | undefined;
  readonly received: Received | undefined;
  outcome: Outcome;
}

function parsePiece(piece: Piece, charset?: string): Message {
  if ('fault' in piece) {
    return createRefusedMessage(undefined, piece.refusal);
  }
  const read = readMessage(piece.bytes, charset);
  return read.ok
    ? {
        header: read.header,
        received: { report: read.report, bytes: piece.bytes, charset: charset ?? 'ASCII' },
        outcome: UNDECIDED,
      }
    : createRefusedMessage(read.header, read.refusal);
}

export function refuseMessage(piece: Piece, refusal: Refusal): Answer {
  return acknowledgeMessage(parsePiece(piece).header, { kind: 'refused', refusal });
}

function acknowledgeMessage(header: Header | undefined, outcome: Outcome): Answer {
  const refusal = outcome.kind === 'refused' ? outcome.refusal : undefined;
  return { header, outcome, bytes: acknowledge(header, refusal) };
}

const UNDECIDED: Outcome = { kind: 'taken', orders: [] };

function createRefusedMessage(header: Header | undefined, refusal: Refusal): Message {
  return { header, received: undefined, outcome: { kind: 'refused', refusal } };
}

function createCounts(): MessageCounts {
  return Object.fromEntries(COUNTED.map((name) => [name, 0])) as MessageCounts;
}

function countOutcomes(outcomes: readonly Outcome[]): MessageCounts {
  const counts = createCounts();
  for (const outcome of outcomes) {
    counts.messages += 1;
    counts[outcome.kind] += 1;
    if (outcome.kind === 'taken') {
      outcome.orders.forEach(({ change }) => (counts[change] += 1));
    }
  }
  return counts;
}

function countDetails(counts: MessageCounts): AuditAct['details'] {
  const orders = ['added', 'updated', 'unchanged', 'stale'];
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => [orders.includes(name) ? `orders_${name}` : name, count]),
  );
}
