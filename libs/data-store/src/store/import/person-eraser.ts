import { readMessage } from '@caregate/hl7v2';
import { parseFacts, isAbout } from '../messages/reported-person.ts';
import type { ImportDatabase } from '../import-database.ts';
import { joinKey, type PersonKey, formatUuid } from '../schema.ts';
import {
  readMessageBytes,
  forgetMessage,
  findWaitingMessages,
  type WaitingMessage,
  type WaitsFor,
} from '../messages/waiting-messages.ts';
import { buildClientKey, findErased, noteErased } from './erased-people.ts';

const EMPTY_BYTES = new Uint8Array();
const WAIT_MS = 600_000;
/** Time to wait for readers, which finish within seconds. */
const SCRUB_WAIT_MS = 60_000;

/** Tables whose rows belong to an order, in an order that satisfies foreign keys. */
const ORDER_TABLES = [
  'hl7_orders',
  'lab_result_versions',
  'lab_results',
  'imported_orders',
] as const;
const PERSON_TABLES = [
  'hl7_messages',
  'orders',
  'user_infos',
  'insurances',
  'mindfulness_minutes',
  'mindfulness_sources',
  'users',
] as const;

/** Everything that is stored about a person. */
export type StoredPerson = NonNullable<Awaited<ReturnType<typeof readPerson>>>;

const AMBIGUOUS_REASONS: readonly WaitsFor[] = ['several_people', 'birth_date_differs'];

export class PersonEraser {
  readonly #db: ImportDatabase;

  constructor(database: ImportDatabase) {
    this.#db = database;
  }

  async read(person: PersonKey): Promise<StoredPerson | undefined> {
    return await this.#db.readInTransaction(() => readPerson(this.#db, person));
  }

  async countPeople(team: Uint8Array): Promise<number> {
    const [row] = await this.#db.readInTransaction(() =>
      this.#db.find('user_totals', ['total'], [{ team_id: team }]),
    );
    return row?.total ?? 0;
  }

  /** Returns the people who are stored or could be imported. */
  async excludeErased<Person extends PersonKey>(people: readonly Person[]): Promise<Person[]> {
    return await this.#db.readInTransaction(async () => {
      const keys = people.map(({ team_id, user_id }) => ({ team_id, user_id }));
      const refused = await findErased(this.#db, keys);
      const stored = new Set(
        (await this.#db.find('users', ['team_id', 'user_id'], keys)).map(joinPersonKey),
      );
      return people.filter(
        (one) => stored.has(joinPersonKey(one)) || !refused.has(joinPersonKey(one)),
      );
    });
  }

  /**
   * Erases a person, and refuses records of them from now on. If `beforeCommit` rejects, nothing is erased. @returns
   * whether any data was stored
   */
  async erase(person: PersonKey, beforeCommit: () => Promise<void>): Promise<boolean> {
    await this.#db.overwriteDeleted();
    try {
      await this.#db.begin(WAIT_MS);
      await this.#db.lockTeams([person.team_id]);
      const [user] = await this.#db.find('users', ['client_user_id'], [person]);
      const orders = await this.#db.find('orders', ['order_id'], [person]);
      const waiting =
        user === undefined ? [] : await listWaitingMessages(this.#db, person, user.client_user_id);
      await this.#db.dropPerson(person);
      await this.#deleteRows(person);
      if (user !== undefined) {
        for (const { message_hash } of waiting) {
          await forgetMessage(this.#db, { team_id: person.team_id, message_hash });
        }
        await noteErased(this.#db, buildClientKey(person.team_id, user.client_user_id));
        await this.#subtract('user_totals', person.team_id, 1);
        await this.#subtract('order_totals', person.team_id, orders.length);
      }
      await noteErased(this.#db, person);
      await beforeCommit();
      await this.#db.commit();
      return user !== undefined;
    } catch (error) {
      await this.#db.rollback();
      throw error;
    }
  }

  async #deleteRows({ team_id, user_id }: PersonKey): Promise<void> {
    const db = this.#db.transaction;
    const orders = db
      .selectFrom('orders')
      .select('order_id')
      .where('team_id', '=', team_id)
      .where('user_id', '=', user_id);
    for (const table of ORDER_TABLES) {
      await db
        .deleteFrom(table)
        .where('team_id', '=', team_id)
        .where('order_id', 'in', orders)
        .execute();
    }
    for (const table of PERSON_TABLES) {
      await db
        .deleteFrom(table)
        .where('team_id', '=', team_id)
        .where('user_id', '=', user_id)
        .execute();
    }
  }

  async #subtract(
    table: 'user_totals' | 'order_totals',
    team: Uint8Array,
    count: number,
  ): Promise<void> {
    await this.#db.transaction
      .updateTable(table)
      .set((eb) => ({ total: eb('total', '-', count) }))
      .where('team_id', '=', team)
      .execute();
  }

  /** @throws ImportFailedError if the store is in use for too long; call it again */
  async scrub(): Promise<void> {
    await this.#db.scrub(SCRUB_WAIT_MS);
  }

  async close(): Promise<void> {
    await this.#db.close();
  }
}

async function readPerson(db: ImportDatabase, person: PersonKey) {
  const [user] = await db.find('users', ['body', 'client_user_id'], [person]);
  if (user === undefined) {
    return undefined;
  }
  const messages = await listWaitingMessages(db, person, user.client_user_id);
  const waiting = await Array.fromAsync(messages, async (message) => {
    const isTheirs =
      message.clientUserIds.includes(user.client_user_id) &&
      !AMBIGUOUS_REASONS.includes(message.waitsFor);
    // Without its bytes if it may be about another person.
    return { ...message, bytes: isTheirs ? await readMessageBytes(db, message) : undefined };
  });
  const orders = await db.find('orders', ['team_id', 'order_id', 'body'], [person]);
  const keys = orders.map(({ team_id, order_id }) => ({ team_id, order_id }));
  const versionColumns = ['order_id', 'version', 'replaced_us', 'body'] as const;
  const [search] = await db.find('people', ['facts'], [person]);
  return {
    user: user.body,
    infos: await db.find('user_infos', ['recorded_us', 'body'], [person]),
    insurances: await db.find('insurances', ['is_primary', 'recorded_us', 'body'], [person]),
    orders,
    importedOrders: await db.find('imported_orders', ['order_id', 'body'], keys),
    results: await db.find('lab_results', ['order_id', 'body'], keys),
    versions: await db.find('lab_result_versions', versionColumns, keys),
    sources: await db.find('mindfulness_sources', ['provider', 'type', 'body'], [person]),
    points: await db.find('mindfulness_minutes', ['provider', 'type', 'body'], [person]),
    waiting,
    facts: search?.facts,
  };
}

/** Finds waiting messages that name the person, by an accepted identifier or by other details. */
async function listWaitingMessages(
  db: ImportDatabase,
  person: PersonKey,
  clientUserId: string,
): Promise<WaitingMessage[]> {
  const [search] = await db.find('people', ['facts'], [person]);
  const facts = parseFacts(search?.facts);
  const found: WaitingMessage[] = [];
  for (const message of await findWaitingMessages(db, person.team_id)) {
    const { clientUserIds, people } = message;
    if (clientUserIds.includes(clientUserId) || people.includes(formatUuid(person.user_id))) {
      found.push(message);
      continue;
    }
    const read = readMessage((await readMessageBytes(db, message)) ?? EMPTY_BYTES, message.charset);
    if (read.ok && isAbout(read.report.patient, clientUserId, facts)) {
      found.push(message);
    }
  }
  return found;
}

function joinPersonKey({ team_id, user_id }: PersonKey): string {
  return joinKey(team_id, user_id);
}
