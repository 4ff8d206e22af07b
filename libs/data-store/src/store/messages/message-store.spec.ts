import { expect, it } from '@jest/globals';
import type { ImportEnvelope, LabOrderResult, Order } from '@caregate/domain';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMessage } from '@caregate/hl7v2';
import type { ImportDatabase } from '../import-database.ts';
import { importEnvelopes } from '../import/import.ts';
import { ImportWriter } from '../import/import-writer.ts';
import { PersonEraser, type StoredPerson } from '../import/person-eraser.ts';
import { formatUuid } from '../schema.ts';
import { bytes, onEachEngine, teamA, teamB, userId } from '../store.testing.ts';
import { glucose, labMessage, type MessageOf, sodium } from '@caregate/hl7v2/testing';
import { MessageStore, type Outcome } from './message-store.ts';
import { openSqliteForWriting } from '../open-store.ts';

const ofClinic = { field: 'PID-3', authority: 'CLINIC', withoutAuthority: false } as const;
const at = '2026-01-15T09:30:00+00:00';
const team = bytes(teamA);
const [amara, ben, cleo] = [userId(1), userId(2), userId(3)];

interface Facts {
  readonly info?: string | null;
  readonly fallback?: string;
  readonly teamId?: string;
  readonly name?: readonly string[];
}

function person(id: string, clientUserId: string, facts: Facts = {}): ImportEnvelope[] {
  const {
    info,
    fallback,
    name: [first_name = null, last_name = null] = [],
    teamId = teamA,
  } = facts;
  const ids = { team_id: teamId, user_id: id };
  return [
    {
      kind: 'user',
      user: {
        ...{ ...ids, client_user_id: clientUserId, created_on: at, connected_sources: [] },
        fallback_time_zone: { id: 'Europe/Zurich', source_slug: 'manual', updated_at: at },
        ...(fallback !== undefined && {
          fallback_birth_date: { value: fallback, source_slug: 'manual', updated_at: at },
        }),
      },
    },
    ...(info === undefined
      ? []
      : [
          {
            kind: 'user_info',
            ...ids,
            recorded_at: at,
            info: { dob: info, first_name, last_name },
          } as const,
        ]),
  ];
}

const people = [
  ...person(amara, 'MRN-1', {
    ...{ info: '1985-03-07', fallback: '1999-09-09', name: ['Amara', 'Okonkwo'] },
  }),
  ...person(ben, 'MRN-2', { fallback: '1931-07-30' }),
  ...person(cleo, 'MRN-3', { info: null }),
  ...person(userId(4), 'MRN-4', { info: '1985-03-07', teamId: teamB }),
];

/** Takes each message in its own transaction. */
async function takes(
  database: ImportDatabase,
  ...messages: readonly MessageOf[]
): Promise<Outcome[]> {
  const store = new MessageStore(database);
  const outcomes: Outcome[] = [];
  for (const message of messages) {
    const sent = labMessage({ patient: 'MRN-1^^^CLINIC', ...message });
    const read = readMessage(sent);
    if (!read.ok) {
      throw new Error(read.refusal.message);
    }
    await store.begin(team, 10_000);
    const { report } = read;
    outcomes.push(await store.take(team, ofClinic, { report, bytes: sent, charset: 'ASCII' }));
    await store.commit();
  }
  return outcomes;
}

const changes = (outcome: Outcome | undefined): unknown =>
  outcome !== undefined && 'orders' in outcome
    ? [outcome.kind, ...outcome.orders.map(({ change }) => change)]
    : outcome?.kind === 'waiting'
      ? outcome.waitsFor
      : outcome?.refusal;

async function stored(database: ImportDatabase, user: string): Promise<StoredPerson> {
  const found = await new PersonEraser(database).read({ team_id: team, user_id: bytes(user) });
  if (found === undefined) {
    throw new Error('no such person');
  }
  return found;
}

const resultsIn = ({ body }: { readonly body: string }): unknown => {
  const { metadata, results } = JSON.parse(body) as LabOrderResult;
  return [metadata.status, ...results.map(({ result }) => result)];
};

onEachEngine((withStore) => {
  /** Runs a test with the imported people and a second connection. */
  const withPeople = (
    body: (first: ImportDatabase, second: ImportDatabase, writer: ImportWriter) => Promise<void>,
  ): Promise<void> =>
    withStore(async ({ writer, open }) => {
      await importEnvelopes(writer, 'people', people);
      const [first, second] = [await open(), await open()];
      try {
        await body(first, second, writer);
      } finally {
        await first.close();
        await second.close();
      }
    });

  it('takes a message if PID-3 is a client user id and PID-7 the birth date known here; else it waits', () =>
    withPeople(async (database, _second, writer) => {
      const cases: readonly [unknown, Partial<MessageOf>][] = [
        [['taken', 'added'], { patient: 'MRN-1^^^CLINIC^MR' }],
        [['taken', 'added'], { patient: '77^^^LAB~MRN-2^^^CLINIC', birthDate: '193107300830' }],
        [['taken', 'added'], { patient: 'AN-9^^^CLINIC^AN~MRN-1^^^CLINIC^MR' }],
        ['no_identifier', { patient: 'MRN-1^^^OTHER' }],
        ['no_identifier', { patient: 'MRN-1' }],
        ['unknown_person', { patient: 'MRN-4^^^CLINIC' }],
        ['unknown_person', { patient: `${'n'.repeat(1024)}^^^CLINIC` }],
        ['several_people', { patient: 'MRN-1^^^CLINIC~MRN-2^^^CLINIC' }],
        ['no_birth_date', { birthDate: '' }],
        ['no_birth_date', { birthDate: '1985' }],
        ['birth_date_unknown', { patient: 'MRN-3^^^CLINIC' }],
        ['birth_date_differs', { birthDate: '19990909' }],
        ['name_differs', { name: 'Different^Totally' }],
        [['taken', 'added'], { name: 'OKONKWO-BELL^A' }],
        [['taken', 'added'], { name: 'Bell^AMARA^N' }],
        [['taken', 'added'], { name: '' }],
      ];
      const messages = cases.map(([, message], n) => ({
        ...{ controlId: `C${n}`, placer: `P-${n}`, ...message },
      }));
      expect((await takes(database, ...messages)).map(changes)).toEqual(
        cases.map(([outcome]) => outcome),
      );
      const store = new MessageStore(database);
      const waiting = (await store.listWaiting(team)).map(({ waitsFor }) => waitsFor);
      const wanted = cases.flatMap(([outcome]) => (typeof outcome === 'string' ? [outcome] : []));
      expect(waiting.sort()).toEqual(wanted.sort());
      // A repeated message still waits, and is stored once.
      expect((await takes(database, messages[5] as MessageOf)).map(changes)).toEqual([
        'unknown_person',
      ]);
      expect((await store.listWaiting()).length).toBe(waiting.length);
      await importEnvelopes(writer, 'more', [
        ...person(userId(5), 'MRN-4', { fallback: '1985-03-07' }),
        ...person(cleo, 'MRN-3', { info: '1985-03-07' }),
        ...person(ben, 'MRN-22', { fallback: '1931-07-30' }),
      ]);
      const tried = await retried(database);
      expect(tried.map(changes).sort()).toEqual([
        ...[
          'birth_date_differs',
          'name_differs',
          ['taken', 'added'],
          ['taken', 'added'],
          ['taken', 'added'],
        ],
      ]);
      expect((await store.listWaiting()).length).toBe(waiting.length - 3);
      expect((await stored(database, cleo)).results.length).toBe(1);
    }));

  it('names an order by its placer number if that is a UUID, and never gives it to another person', () =>
    withPeople(async (database) => {
      const placer = '5D1F0000-0000-4000-8000-00000000ABCD';
      const ofBen = { patient: 'MRN-2^^^CLINIC', birthDate: '19310730' };
      const outcomes = await takes(
        database,
        { controlId: '1', placer },
        { controlId: '2', placer: placer.toLowerCase(), sent: 1, observations: [sodium('140')] },
        { controlId: '3', placer, ...ofBen },
        { controlId: '4', placer: 'P-9' },
        { controlId: '5', placer: 'P-9', ...ofBen },
        { controlId: '6', placer: '', filler: 'F-9' },
        {
          ...{ controlId: '7', placer: `${placer}^A`, sent: 2 },
          observations: [glucose('5.1'), `OBR|2|${placer.toLowerCase()}^B||Again`, glucose('5.2')],
        },
      );
      expect(outcomes.map(changes)).toEqual([
        ['taken', 'added'],
        ['taken', 'updated'],
        'order_of_another_person',
        ['taken', 'added'],
        'order_of_another_person',
        ['taken', 'added'],
        ['taken', 'updated'],
      ]);
      const { results } = await stored(database, amara);
      expect(results.map(({ body }) => body).join()).toMatch(/"5\.1".*"140".*"5\.2"/u);
      const ids = (await stored(database, amara)).orders.map(({ order_id: id }) => formatUuid(id));
      expect(ids).toContain(placer.toLowerCase());
      expect(ids.filter((id) => id[14] === '5').length).toBe(2);
    }));

  it('replaces by code and sub-id, keeps all else and what was before; earlier ones change nothing', () =>
    withPeople(async (database) => {
      const corrected = [glucose('5.90', 'C')];
      const outcomes = await takes(
        database,
        { controlId: '1', sent: 2, observations: [glucose('5.40'), sodium('140', 'P')] },
        { controlId: '2', sent: 3, observations: [sodium('141'), glucose('6.1', 'F', '2')] },
        { controlId: '3', sent: 1, observations: corrected },
        { controlId: '4', sent: 4, observations: corrected },
        { controlId: '4', sent: 4, observations: corrected },
        { controlId: '5', sent: 5, observations: corrected },
        { controlId: '5', sent: 6, observations: corrected },
      );
      expect(outcomes.map(changes)).toEqual([
        ...[
          ['taken', 'added'],
          ['taken', 'updated'],
          ['taken', 'stale'],
          ['taken', 'updated'],
        ],
        ...[
          ['repeated', 'unchanged'],
          ['taken', 'unchanged'],
        ],
        expect.objectContaining({ ack: 'AR', segment: 'MSH', field: 10 }),
      ]);
      const { results, versions, orders } = await stored(database, amara);
      expect(results.map(resultsIn)).toEqual([['corrected', '5.90', '141', '6.1']]);
      expect(versions.map(resultsIn)).toEqual([
        ['partial', '5.40', '140'],
        ['final', '5.40', '141', '6.1'],
      ]);
      expect(orders.map(({ body }) => (JSON.parse(body) as Order).status)).toEqual(['completed']);
    }));

  it('keeps what was imported of an order, and adds to its result', () =>
    withPeople(async (database, _second, writer) => {
      const orderId = '5d1f0000-0000-4000-8000-00000000abcd';
      const ids = { team_id: teamA, user_id: amara };
      const lab_test = { name: 'Panel of the clinic' };
      await importEnvelopes(writer, 'order', [
        { kind: 'order', order: { id: orderId, ...ids, lab_test } },
        {
          ...{ kind: 'lab_result', ...ids, order_id: orderId },
          result: {
            metadata: { patient: 'A' },
            results: [{ name: 'pH', slug: 'ph', result: '7' }],
          },
        },
      ]);
      const outcomes = await takes(
        database,
        { controlId: '1', placer: orderId },
        // Deletes a result that was never sent.
        { controlId: '2', placer: 'P-2', observations: [glucose('1', 'D'), sodium('1', 'W')] },
      );
      expect(outcomes.map(changes)).toEqual([
        ['taken', 'updated'],
        ['taken', 'unchanged'],
      ]);
      const { results, orders } = await stored(database, amara);
      expect(results.map(resultsIn)).toEqual([['final', '7', '5.40']]);
      expect(JSON.parse(orders[0]?.body ?? '')).toMatchObject({ lab_test });
    }));

  it('loses no result that two connections bring at once', () =>
    withPeople(async (first, second) => {
      const codes = Array.from(
        { length: 12 },
        (_, n) => `OBX|1|NM|${n}^Marker ${n}^L||${n}||||||F`,
      );
      const message = (code: string, n: number): MessageOf => ({
        ...{ controlId: `C${n}`, observations: [code] },
      });
      const all = codes.map(message);
      await Promise.all([takes(first, ...all.slice(0, 6)), takes(second, ...all.slice(6))]);
      const { results, versions } = await stored(first, amara);
      const [, ...kept] = resultsIn(results[0] as { body: string }) as string[];
      expect(kept.map(Number).sort((a, b) => a - b)).toEqual(codes.map((_, n) => n));
      expect(versions.length).toBe(11);
    }));

  it('forgets what waited for an erased person under another authority, and nothing of others', () =>
    withPeople(async (database, _second, writer) => {
      const facts = { info: '1977-01-01', name: ['Dora', 'Quist'] };
      await importEnvelopes(writer, 'dora', person(userId(9), 'MRN-9', facts));
      const dora = { patient: '77^^^OTHER', birthDate: '19770101', name: 'Quist^Dora' };
      const other = 'MRN-9^^^OTHER';
      await takes(
        database,
        { ...dora, controlId: '1', patient: other },
        { ...dora, controlId: '2' },
        { ...dora, controlId: '3', patient: other, birthDate: '19700101' },
        { ...dora, controlId: '4', birthDate: '19700101' },
        { ...dora, controlId: '5', name: 'Other^Dora' },
        { ...dora, controlId: '6', patient: other, birthDate: '19700101', name: 'Other^Ben' },
      );
      const eraser = new PersonEraser(database);
      await eraser.erase({ team_id: team, user_id: bytes(userId(9)) }, () => Promise.resolve());
      const store = new MessageStore(database);
      const left: string[] = [];
      for (const one of await store.listWaiting()) {
        left.push(readMessage(await store.readBytes(one)).header?.controlId ?? '');
      }
      expect(left.sort()).toEqual(['4', '5', '6']);
    }));

  it('refuses whom it erased by their client user id, and forgets what waited for them', () =>
    withPeople(async (database, _second, writer) => {
      const differs = { controlId: '2', birthDate: '19990909' };
      await takes(database, { controlId: '1' }, differs, { controlId: '3', birthDate: '' });
      const waits = (await stored(database, amara)).waiting;
      expect(
        waits.map(({ waitsFor, bytes: text }) => [waitsFor, text === undefined]).sort(),
      ).toEqual([
        ['birth_date_differs', true],
        ['no_birth_date', false],
      ]);
      // The previous client user ID is no longer accepted after an import changed it.
      await takes(database, { controlId: '4', patient: 'MRN-2^^^CLINIC' });
      await importEnvelopes(writer, 'changed', person(ben, 'MRN-22'));
      const [ofBen] = (await stored(database, ben)).waiting;
      expect([ofBen?.waitsFor, ofBen?.bytes]).toEqual(['birth_date_differs', undefined]);
      const eraser = new PersonEraser(database);
      await eraser.erase({ team_id: team, user_id: bytes(ben) }, () => Promise.resolve());
      await eraser.erase({ team_id: team, user_id: bytes(amara) }, () => Promise.resolve());
      expect(await new MessageStore(database).listWaiting()).toEqual([]);
      const outcomes = await takes(database, { controlId: '1' }, differs, { controlId: '9' });
      expect(outcomes.map(changes)).toEqual(
        outcomes.map(() => expect.objectContaining({ ack: 'AE', segment: 'PID', field: 3 })),
      );
      expect(await new MessageStore(database).listWaiting()).toEqual([]);
    }));
});

it('no byte of what waited for an erased person is in a data folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-messages-'));
  const holdMark = (): string[] =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('ZQCANARY'));
  const [database, eraser] = [
    await openSqliteForWriting(folder),
    new PersonEraser(await openSqliteForWriting(folder)),
  ];
  await importEnvelopes(new ImportWriter(database), 'spec', people);
  const observations = [`OBX|1|ST|1^A^L||${'ZQCANARY '.repeat(1000)}||||||F`];
  await takes(database, { controlId: '1', birthDate: '19850308', observations });
  expect(holdMark()).not.toEqual([]);
  await eraser.erase({ team_id: team, user_id: bytes(amara) }, () => Promise.resolve());
  await eraser.scrub();
  expect(holdMark()).toEqual([]);
  await Promise.all([database.close(), eraser.close()]);
  expect(holdMark()).toEqual([]);
  rmSync(folder, { recursive: true });
});

async function retried(database: ImportDatabase): Promise<Outcome[]> {
  const store = new MessageStore(database);
  const outcomes: Outcome[] = [];
  const waiting = await store.listRetryable(team);
  await store.begin(team, 0);
  for (const message of waiting) {
    outcomes.push(...(await store.retry(message)));
  }
  await store.commit();
  return outcomes;
}
