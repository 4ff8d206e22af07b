import { beforeAll, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bodiesIn } from '../../audit/records.testing.ts';
import { glucose, labMessage } from '@caregate/hl7v2/testing';
import { until } from '../../testing/until.testing.ts';
import { commandFolder, type Ended } from '../caregate.testing.ts';
import type { Finding } from '../doctor/checks.ts';

const at = commandFolder('spec');
const hl7 = ['--format', 'hl7v2', '--team', sampleTeamId, '--authority', 'CLINIC'];
const takes = (...words: string[]): Promise<Ended> => at.caregate('import', ...hl7, ...words);
const linesOf = ({ out }: Ended): Record<string, unknown>[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const envelopes = [...sampleEnvelopes({ users: 2 })];
const [user] = envelopes;
let file: string;
function write(name: string, bytes: Uint8Array | string): string {
  writeFileSync(join(at.folder, name), bytes);
  return join(at.folder, name);
}

beforeAll(async () => {
  file = write('people', envelopes.map((each) => JSON.stringify(each)).join('\n'));
  expect(await at.caregate('import', file)).toMatchObject({ code: 0 });
});

it.each([
  [['x', '--mllp', '127.0.0.1:0'], '--mllp is for messages of laboratories'],
  [[], 'No file to import'],
  [hl7, 'No messages to import'],
  [[...hl7, 'x', '--mllp', '127.0.0.1:0'], 'name no files with it'],
  [[...hl7, '--mllp', '0.0.0.0:0'], 'neither encrypted nor signed in to'],
  [[...hl7, '--mllp', '127.0.0.1:0', '--allow', '10.1.0.0/33'], '--allow: "10.1.0.0/33" is not'],
  [[...hl7.slice(0, 4), 'x'], '--format hl7v2 needs --authority'],
  [['--format', 'hl7v2', 'x', '--authority', 'A'], '--format hl7v2 needs --team'],
  [[...hl7, '--mllp', '2575'], 'Expected HOST:PORT'],
])('says which options do not go together: %j', async (words, message) => {
  expect(await at.caregate('import', ...words)).toEqual({
    ...{ code: 2, out: '', err: expect.stringContaining(message) },
  });
});

it('takes, puts aside and refuses each message of a file, framed or not, and says so', async () => {
  const adt = labMessage({ controlId: 'A4' }).toString().replace('ORU^R01', 'ADT^A01');
  const messages = [
    labMessage({ controlId: 'A1' }),
    labMessage({ controlId: 'A2', birthDate: '19990909' }),
    labMessage({ controlId: 'A3', placer: 'P-3', observations: [glucose('high')] }),
    Buffer.from(adt),
  ];
  const one = write('messages.gz', gzipSync(Buffer.concat(messages)));
  const ended = await takes(one, '--json');
  expect([ended.code, ended.err]).toEqual([2, '']);
  const order = { order_id: expect.stringMatching(/^.{14}5/u), change: 'added' };
  const none = { orders: [], pending: null, error: null };
  expect(linesOf(ended)).toEqual([
    { ...none, control_id: 'A1', ack: 'AA', orders: [order] },
    { ...none, control_id: 'A2', ack: 'AA', pending: 'birth_date_differs' },
    { ...none, control_id: 'A3', ack: 'AA', orders: [order] },
    {
      ...{ ...none, control_id: 'A4', ack: 'AR' },
      error: {
        ...{ segment: 'MSH', sequence: 1, field: 9, code: '200' },
        message: expect.any(String),
      },
    },
  ]);
  const finished = bodiesIn(at.data).slice(-3);
  expect(finished).toMatchObject([
    { operation: 'importStarted', team_id: sampleTeamId },
    { operation: 'messagesTaken', decision: 'allowed', details: { messages: 4, orders_added: 2 } },
    {
      operation: 'importFinished',
      details: {
        ...{ taken: 2, waiting: 1, refused: 1 },
        sha256: createHash('sha256').update(readFileSync(one)).digest('hex'),
      },
    },
  ]);
  const framed = messages.slice(0, 3).map((each) => `\x0b${each.toString('latin1')}\x1c\r`);
  const again = await takes(write('framed', framed.join('')));
  expect(again).toEqual({
    code: 0,
    out: expect.stringMatching(/framed: 3 messages: 2 taken before, 1 waiting\.\n$/u),
    err: expect.stringMatching(/message 2, control id "A2": waits \(birth_date_differs\)\. PID-7/u),
  });
  const refused = await takes(write('refused', `\n${adt}`));
  expect([refused.code, refused.err]).toEqual([
    ...[2, expect.stringContaining('control id "A4": refused (AR). MSH 1, field 9: ')],
  ]);
  expect((await takes(write('none', 'no messages'))).code).toBe(2);
  expect(JSON.stringify(bodiesIn(at.data))).not.toMatch(/Okonkwo|MRN-|A2/u);
});

it('lists what waits, shows it to the person it is of, and takes it once the person was imported', async () => {
  expect(await at.json('import', 'pending', '--team', sampleTeamId)).toMatchObject([
    { control_id: 'A2', client_user_ids: ['MRN-000101'], waits_for: 'birth_date_differs' },
  ]);
  const unknown = labMessage({
    controlId: 'B1',
    placer: 'B-1',
    patient: 'MRN-NEW^^^CLINIC',
    birthDate: '19310730',
  });
  const hostile = labMessage({ controlId: 'B\x7f3', patient: 'X\\X1B\\[2J^^^CLINIC' });
  const waits = await takes(write('unknown', Buffer.concat([unknown, hostile])));
  expect(waits.err).toContain('message 2, control id "B\uFFFD3": waits');
  const listed = await at.caregate('import', 'pending');
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out).toMatch(/B1 +MRN-NEW +unknown_person/u);
  expect(listed.out).toMatch(/B\uFFFD3 +X \[2J +unknown_person/u);
  expect(listed.out).not.toMatch(/Okonkwo|1931|5\.40/u);
  const of = user as Extract<typeof user, { kind: 'user' }>;
  const id = 'a0000000-0000-4000-8000-000000000001';
  const value = { value: '1931-07-30', source_slug: 'manual', updated_at: of.user.created_on };
  const person = { ...of.user, user_id: id, client_user_id: 'MRN-NEW', fallback_birth_date: value };
  const imported = await at.caregate(
    'import',
    write('one', JSON.stringify({ ...of, user: person })),
  );
  expect(imported.out).toContain('Waiting messages: 1 stored, 2 still waiting.');
  const ofAmara = ['--team', sampleTeamId, '--user', of.user.user_id];
  const noBirthDate = labMessage({ controlId: 'B2', birthDate: '' });
  await takes(write('without', noBirthDate));
  const exported = await at.json<Record<string, unknown[]>>('person', 'export', ...ofAmara);
  expect(exported['waiting_messages']).toMatchObject([
    { waits_for: 'birth_date_differs', segments: null },
    // The ID is unknown, but name and birth date are those of a patient.
    { waits_for: 'unknown_person', segments: null },
    { waits_for: 'no_birth_date', segments: noBirthDate.toString().split('\r').filter(Boolean) },
  ]);
});

it('says how long the oldest message waits, and the doctor warns after four hours', async () => {
  const finding = async () => {
    const { out } = await at.caregate('doctor', '--json');
    return (JSON.parse(out) as Finding[]).find(({ check }) => check === 'results');
  };
  expect(await finding()).toMatchObject({
    ...{ level: 'ok', next: '' },
    what: '3 messages of laboratories wait for the patient, the oldest for 0 min.',
  });
  const file = new DatabaseSync(join(at.data, 'store.db'), { timeout: 30_000 });
  file.exec("update hl7_messages set received_us = received_us - 18e9 where waits_for <> ''");
  file.close();
  expect(await finding()).toMatchObject({
    level: 'warning',
    what: '3 messages of laboratories wait for the patient, the oldest for 5 h 0 min.',
    next: expect.stringContaining('caregate import pending --data '),
  });
  const { out } = await at.caregate('import', 'pending');
  expect(out).toContain('\nThe oldest waits for 5 h 0 min.\n');
});

it('discards a message that waits, for a recorded reason', async () => {
  const before = await at.json<{ id: string; control_id: string }[]>('import', 'pending');
  const { id = '' } = before.find((one) => one.control_id === 'A2') ?? {};
  const without = await at.caregate('import', 'pending', 'discard', id, '--reason', ' ');
  expect(without).toMatchObject({ code: 2, err: expect.stringContaining('--reason must say') });
  const other = await at.caregate('import', 'pending', 'discard', 'f00', '--reason', 'wrong');
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('id f00 waits') });
  const reason = 'Not a patient of this clinic';
  const done = await at.caregate('import', 'pending', 'discard', id, '--reason', reason);
  expect(done).toMatchObject({ code: 0, out: `Discarded message ${id}.\n` });
  const after = await at.json<{ id: string }[]>('import', 'pending');
  expect(after).toEqual(before.filter((one) => one.id !== id));
  expect(bodiesIn(at.data).at(-1)).toMatchObject({
    ...{ operation: 'messageDiscarded', details: { message: id, reason } },
  });
});

it('takes the number in PID-2 and bytes of Latin 1 where the options say so', async () => {
  const message = labMessage({
    ...{
      controlId: 'P2',
      placer: 'P2-1',
      observations: ['OBX|1|NM|CREA^Creatinine^L||92|µmol/L||N|||F'],
    },
  }).toString('utf8');
  const file = join(at.folder, 'pid-2');
  writeFileSync(
    file,
    Buffer.from(
      message.replace('PID|1||MRN-000101^^^CLINIC^MR|', 'PID|1|MRN-000101|L-7|'),
      'latin1',
    ),
  );
  const run = (...options: string[]) => at.caregate('import', ...hl7, ...options, '--json', file);
  expect((await run()).out).toContain('"ack":"AE"');
  expect((await run('--charset', 'WINDOWS-1252')).out).toContain('"pending":"no_identifier"');
  const both = ['--charset', 'WINDOWS-1252', '--patient-id', 'PID-2'];
  expect((await run(...both)).out).toContain('"change":"added"');
});

it('takes messages over MLLP until it is stopped', async () => {
  const ready = join(at.folder, 'ready');
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const words = ['import', ...hl7, '--data', at.data, '--json', '--mllp', '127.0.0.1:0'];
  const flags = ['--conditions=@caregate/source', main, ...words, '--ready-file', ready];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close');
  let address = '';
  await until(() => {
    try {
      ({ mllp: address } = JSON.parse(readFileSync(ready, 'utf8')) as { mllp: string });
      return true;
    } catch {
      return child.exitCode !== null;
    }
  });
  expect([err, address]).toEqual(['', expect.stringMatching(/^127\.0\.0\.1:\d+$/u)]);
  const socket = connect(Number(address.split(':')[1]), '127.0.0.1');
  socket.write(`\x0b${labMessage({ controlId: 'C1', sent: 1 }).toString()}\x1c\r`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^\x0bMSH\|[^\x1c]*MSA\|AA\|C1\r\x1c\r$/u);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(linesOf({ code: 0, out, err })).toMatchObject([{ control_id: 'C1', ack: 'AA' }]);
  expect(bodiesIn(at.data).at(-1)).toMatchObject({
    ...{ operation: 'importFinished', details: { connection: 'mllp', messages: 1 } },
  });
});
