import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import { type LabReport, deriveOrderId, readMessage, type Refusal } from '@caregate/hl7v2';
import type { ImportDatabase } from '../import-database.ts';
import { createCounts } from '../import/import-types.ts';
import { ImportWriter } from '../import/import-writer.ts';
import { formatUuid, type StoreSchema } from '../schema.ts';
import { findChanges, type AcceptedOrder } from './reported-changes.ts';
import {
  listClientUserIds,
  ERASED,
  findPerson,
  type PatientId,
  type Refused,
  type Waiting,
} from './reported-person.ts';
import {
  readMessageBytes,
  forgetMessage,
  splitLines,
  type MessageKey,
  findWaitingMessages,
  type WaitingMessage,
} from './waiting-messages.ts';

interface AcceptedMessage {
  /** `repeated` means that the same message was stored before. */
  readonly kind: 'taken' | 'repeated';
  readonly orders: readonly AcceptedOrder[];
}

export type Outcome = AcceptedMessage | Waiting | Refused;

/** A received message that could be parsed. */
export interface Received {
  readonly report: LabReport;
  readonly bytes: Uint8Array;
  /** The character set with which it was decoded. */
  readonly charset: string;
}

type MessageRow = StoreSchema['hl7_messages'];

const EMPTY_BYTES = new Uint8Array();

/** Stores HL7 messages of laboratories in a transaction. Each message sees the changes of those before it. */
export class MessageStore {
  readonly #db: ImportDatabase;
  readonly #writer: ImportWriter;

  constructor(database: ImportDatabase) {
    this.#db = database;
    this.#writer = new ImportWriter(database);
  }

  /** @throws ImportFailedError if another process is still writing after `waitMs` */
  async begin(team: Uint8Array, waitMs: number, onWaiting?: () => void): Promise<void> {
    await this.#writer.begin(waitMs, onWaiting);
    await this.#db.lockTeams([team]);
  }

  async take(team: Uint8Array, patientId: PatientId, received: Received): Promise<Outcome> {
    const { report, bytes, charset } = received;
    const key = { team_id: team, message_hash: hashMessageId(report) };
    const digest = Buffer.from(report.digest, 'hex');
    const columns = ['digest', 'waits_for', 'received_us', 'people'] as const;
    const [before] = await this.#db.find('hl7_messages', columns, [key]);
    if (before !== undefined && Buffer.compare(before.digest, digest) !== 0) {
      return { kind: 'refused', refusal: OTHER_CONTENT };
    }
    if (before?.waits_for === '') {
      const ids = new Set(report.orders.map((order) => deriveOrderId(formatUuid(team), order)));
      return {
        kind: 'repeated',
        orders: [...ids].map((orderId) => ({ orderId, change: 'unchanged' })),
      };
    }
    const { received_us = Date.now() * 1000, people = '' } = before ?? {};
    const ids = listClientUserIds(report, patientId);
    const row = { ...key, digest, received_us, people, bytes, charset, sender: report.sender };
    return await this.#decide(row, report, ids, before === undefined);
  }

  /** Retries a waiting message. @returns nothing if it no longer waits */
  async retry({ team_id, message_hash, clientUserIds: ids }: WaitingMessage): Promise<Outcome[]> {
    const key = { team_id, message_hash };
    const columns = [
      ...(['digest', 'received_us', 'waits_for', 'people'] as const),
      ...(['bytes', 'charset', 'sender'] as const),
    ] as const;
    const [row] = await this.#db.find('hl7_messages', columns, [key]);
    const read =
      row === undefined || row.waits_for === '' ? undefined : readMessage(row.bytes, row.charset);
    if (row === undefined || read?.ok !== true) {
      return [];
    }
    const { waits_for: _before, ...columnsToKeep } = row;
    const outcome = await this.#decide({ ...key, ...columnsToKeep }, read.report, ids);
    // Other refused messages keep waiting: they were acknowledged with AA, so the laboratory won't send them again.
    if (outcome.kind === 'refused' && outcome.refusal === ERASED.refusal) {
      await forgetMessage(this.#db, { team_id, message_hash });
    }
    return [outcome];
  }

  async commit(): Promise<void> {
    await this.#writer.commit();
  }

  async rollback(): Promise<void> {
    await this.#writer.rollback();
  }

  /** Returns the waiting messages of a team, or of all teams if it is undefined, oldest first. */
  async listWaiting(team?: Uint8Array): Promise<WaitingMessage[]> {
    return await this.#db.readInTransaction(() => findWaitingMessages(this.#db, team));
  }

  /** Returns the waiting messages that imports since the last try may have made acceptable. */
  async listRetryable(team: Uint8Array): Promise<WaitingMessage[]> {
    return await this.#db.readInTransaction(async () => {
      const messages = await findWaitingMessages(this.#db, team);
      const ids = new Set(messages.flatMap(({ clientUserIds }) => clientUserIds));
      const keys = [...ids].map((client_user_id) => ({ team_id: team, client_user_id }));
      const users = await this.#db.find('users', ['client_user_id'], keys);
      const existing = new Set(users.map(({ client_user_id }) => client_user_id));
      return messages.filter(
        ({ waitsFor, clientUserIds }) =>
          waitsFor !== 'no_birth_date' && clientUserIds.some((id) => existing.has(id)),
      );
    });
  }

  /** Deletes a waiting message. @returns whether it existed */
  async discard({ team_id, message_hash }: MessageKey): Promise<boolean> {
    const [row] = await this.#db.find('hl7_messages', ['waits_for'], [{ team_id, message_hash }]);
    if (row === undefined || row.waits_for === '') {
      return false;
    }
    await forgetMessage(this.#db, { team_id, message_hash });
    return true;
  }

  async readBytes(message: WaitingMessage): Promise<Uint8Array> {
    return (
      (await this.#db.readInTransaction(() => readMessageBytes(this.#db, message))) ?? EMPTY_BYTES
    );
  }

  async #decide(
    row: Omit<MessageRow, 'user_id' | 'waits_for' | 'client_user_ids'>,
    report: LabReport,
    ids: readonly string[],
    isNew = false,
  ): Promise<Outcome> {
    const { team_id } = row;
    const person = await findPerson(this.#db, team_id, ids, report.patient);
    const found =
      person.kind === 'known' ? await findChanges(this.#db, person.person, report) : person;
    if (found.kind === 'waiting') {
      if (isNew && (await this.#isWaitingLimitReached(row))) {
        return { kind: 'refused', refusal: TOO_MANY_WAIT };
      }
      const waitingColumns = {
        user_id: EMPTY_BYTES,
        waits_for: found.waitsFor,
        client_user_ids: ids.join('\n'),
        // Includes people whose client user IDs were changed by an import, so that erasing any of them erases the
        // message.
        people: [...new Set([...splitLines(row.people), ...found.people.map(formatUuid)])].join(
          '\n',
        ),
      };
      await this.#db.upsert('hl7_messages', [{ ...row, ...waitingColumns }]);
    }
    if (found.kind !== 'changes') {
      return found;
    }
    const issues = await this.#writer.write(found.records, createCounts());
    if (issues.some((issue) => issue !== undefined)) {
      throw new Error('A record of a message is refused by the import');
    }
    await this.#db.upsert('hl7_orders', found.sent);
    const acceptedColumns = { user_id: found.user, waits_for: '', client_user_ids: '', people: '' };
    await this.#db.upsert('hl7_messages', [{ ...row, ...acceptedColumns, bytes: EMPTY_BYTES }]);
    return { kind: 'taken', orders: found.orders };
  }

  /** Whether the limit of waiting messages is reached, so that a sender of unknown patients can't fill the disk. */
  async #isWaitingLimitReached({
    team_id,
    sender,
    bytes,
  }: Pick<MessageRow, 'team_id' | 'sender' | 'bytes'>) {
    const waiting = await this.#db.transaction
      .selectFrom('hl7_messages')
      .select(({ fn }) => [
        fn.countAll<number | string>().as('messages'),
        fn.sum<number | string | null>(sql`length(bytes)`).as('bytes'),
      ])
      .where('team_id', '=', team_id)
      .where('waits_for', '<>', sql.lit(''))
      .where('sender', '=', sender)
      .executeTakeFirst();
    return (
      Number(waiting?.messages ?? 0) >= MOST_WAITING ||
      Number(waiting?.bytes ?? 0) + bytes.length > MOST_WAITING_BYTES
    );
  }
}

/** Maximum of waiting messages of one sender. */
const MOST_WAITING = 10_000;
const MOST_WAITING_BYTES = 256 * 2 ** 20;

const TOO_MANY_WAIT: Refusal = {
  ...{ ack: 'AR', error: 'internal' },
  message: 'Too many messages of this sender wait for their patients. Send it again later.',
};

const OTHER_CONTENT: Refusal = {
  ...{ ack: 'AR', error: 'duplicateKey', segment: 'MSH', sequence: 1, field: 10 },
  message: 'Another message of this sender has this control id.',
};

/** Control IDs are unique for each sender. */
function hashMessageId({ sender, controlId }: LabReport): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([sender, controlId]))
    .digest();
}
