import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { glucose, labMessage } from '../../hl7/lab-message.testing.ts';
import type { Piece } from '../../hl7/split-messages.ts';
import type { ImportDatabase } from '../../source/store/import-database.ts';
import { importEnvelopes } from '../../source/store/import/import.ts';
import { ImportWriter } from '../../source/store/import/import-writer.ts';
import { openSqliteImport } from '../../source/store/import/sqlite-import.ts';
import { MessageStore } from '../../source/store/messages/message-store.ts';
import { uuidBytes } from '../../source/store/schema.ts';
import { bodiesIn } from '../../audit/record/records.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { CommandLog } from '../start/command-log.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageTaker, type Answer } from './message-taker.ts';
import { serveMllp, type MllpServer } from './mllp-server.ts';

let folder: string;
let database: ImportDatabase;
let taker: MessageTaker;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-mllp-'));
  const log = new CommandLog({ dataDir: folder });
  // A store with people that never had a log is refused.
  await log.record({ operation: 'importStarted', details: {} });
  database = await openSqliteImport(folder);
  await importEnvelopes(new ImportWriter(database), 'people', sampleEnvelopes({ users: 1 }));
  taker = new MessageTaker({
    ...{ store: new MessageStore(database), log },
    ...{ team: uuidBytes(sampleTeamId) ?? Buffer.alloc(0), authority: 'CLINIC', waitMs: 0 },
  });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

let server: MllpServer | undefined;
let queue: MessageQueue;
const failures: unknown[] = [];
const told: string[] = [];
const tell = (why: string): number => told.push(why);
afterEach(async () => {
  await Promise.all([queue.stop(), server?.stop()]);
  failures.length = 0;
  told.length = 0;
});

async function listen(
  take: (pieces: readonly Piece[]) => Promise<Answer[]> = (pieces) => taker.take(pieces),
  idleMs?: number,
): Promise<void> {
  queue = new MessageQueue({ take }, (error) => failures.push(error));
  const answer = async (piece: Piece): Promise<Uint8Array | undefined> =>
    (await queue.answer(piece))?.bytes;
  const pause = idleMs === undefined ? {} : { idleMs };
  server = await serveMllp({ host: '127.0.0.1', port: 0 }, { answer, tell, ...pause });
}

class Sender {
  readonly socket: Socket;
  text = '';
  readonly ended: Promise<unknown>;

  constructor() {
    const [, port] = /:(\d+)$/u.exec(server?.address ?? '') ?? [];
    this.socket = connect(Number(port), '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => (this.text += chunk.toString('latin1')));
    this.socket.on('error', () => undefined);
    this.ended = once(this.socket, 'close');
  }

  /** Of each acknowledgement, what it says of which message. */
  get told(): string[] {
    const frames = [...this.text.matchAll(/\x0b([^\x0b\x1c]*)\x1c\r/gu)];
    return frames.map(([, text]) => {
      const [, , code, id = ''] = /(^|\r)MSA\|([A-Z]{2})\|([^\r|]*)/u.exec(text ?? '') ?? [];
      return `${code} ${id}`.trim();
    });
  }

  async tells(count: number): Promise<string[]> {
    await until(() => this.told.length >= count);
    return this.told;
  }
}

const framed = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.of(0x0b), message, Buffer.of(0x1c, 0x0d)]);
const message = (controlId: string): Buffer =>
  framed(labMessage({ controlId, placer: controlId, observations: [glucose('5.40')] }));

it('answers each frame in its order, whether several come in a packet or one in many', async () => {
  await listen();
  const sender = new Sender();
  sender.socket.write(Buffer.concat([message('A1'), message('A2'), message('A3')]));
  expect(await sender.tells(3)).toEqual(['AA A1', 'AA A2', 'AA A3']);
  sender.socket.setNoDelay(true);
  for (const byte of message('A4')) {
    sender.socket.write(Buffer.of(byte));
  }
  sender.socket.write('\n');
  expect(await sender.tells(4)).toContain('AA A4');
  // It may end its side at once, and is still answered.
  sender.socket.end(Buffer.concat([message('A5'), message('A1')]));
  expect((await sender.tells(6)).slice(4)).toEqual(['AA A5', 'AA A1']);
  await sender.ended;
});

it('answers many connections at once, and commits and records together what they send meanwhile', async () => {
  await listen();
  const senders = Array.from({ length: 10 }, () => new Sender());
  for (const [n, sender] of senders.entries()) {
    sender.socket.write(message(`B${n}`));
    await sender.tells(1);
  }
  const before = bodiesIn(folder).length;
  senders.forEach(({ socket }, n) => {
    socket.write(Buffer.concat([message(`B${n}a`), message(`B${n}b`)]));
  });
  for (const [n, sender] of senders.entries()) {
    expect(await sender.tells(3)).toEqual([`AA B${n}`, `AA B${n}a`, `AA B${n}b`]);
    sender.socket.destroy();
  }
  const records = bodiesIn(folder).slice(before);
  expect(records.length).toBeLessThan(senders.length);
  expect(new Set(records.map(({ operation }) => operation))).toEqual(new Set(['messagesTaken']));
  const counts = records.map(({ details }) => Number(details['orders_added']));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2 * senders.length);
});

it('takes few long messages together', async () => {
  const together: number[] = [];
  await listen(async (pieces) => {
    together.push(pieces.length);
    return await taker.take(pieces);
  });
  const long = { bytes: Buffer.alloc(3 * 2 ** 20, 'x') };
  await Promise.all(Array.from({ length: 5 }, () => queue.answer(long)));
  expect(together).toEqual([2, 2, 1]);
});

it('answers garbage, and what stands in a frame and is none of its messages', async () => {
  await listen();
  const sender = new Sender();
  sender.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await sender.tells(1)).toEqual(['AR']);
  sender.socket.write(framed(Buffer.from([0, 255, 1, 2])));
  sender.socket.write(framed(Buffer.alloc(0)));
  const adt = labMessage({ controlId: 'C1' }).toString().replace('ORU^R01', 'ADT^A01');
  sender.socket.write(framed(Buffer.from(adt.replace('2.5.1\r', '2.5.1|||AL\r'))));
  sender.socket.write(Buffer.concat([Buffer.from('\x0bMSH|begun'), message('C2')]));
  expect((await sender.tells(6)).slice(1)).toEqual(['AR', 'AR', 'CR C1', 'AR', 'AA C2']);
  expect(sender.socket.destroyed).toBe(false);
  sender.socket.destroy();
});

it('ends a connection whose frame is too long, or is not whole after a pause; one between frames stays', async () => {
  await listen(undefined, 50);
  const [waits, pauses, long] = [new Sender(), new Sender(), new Sender()];
  waits.socket.write(message('D1'));
  pauses.socket.write(message('D2').subarray(0, 100));
  long.socket.write(Buffer.concat([Buffer.of(0x0b), Buffer.alloc(16 * 2 ** 20 + 1, 'x')]));
  await Promise.all([pauses.ended, long.ended]);
  expect([pauses.told, long.told]).toEqual([['AR'], ['AR']]);
  waits.socket.write(message('D3'));
  expect(await waits.tells(2)).toEqual(['AA D1', 'AA D3']);
  waits.socket.destroy();
});

it('ends a connection whose sender does not read the answers, refuses one of too many, and says so', async () => {
  queue = new MessageQueue(taker, () => undefined);
  const answer = (): Promise<Uint8Array> => Promise.resolve(Buffer.alloc(32 * 2 ** 20));
  server = await serveMllp({ host: '127.0.0.1', port: 0 }, { answer, tell, idleMs: 50 });
  const deaf = new Sender();
  deaf.socket.pause().write(message('G1'));
  await until(() => told.length > 0);
  const senders = Array.from({ length: 66 }, () => new Sender());
  await until(() => told.length > 1);
  expect(told.map((why) => why.split(':')[0])).toEqual([
    'A connection was ended',
    'Connections are refused',
  ]);
  [deaf, ...senders].forEach(({ socket }) => socket.destroy());
});

it('refuses what cannot be stored now, alone if it is the cause, and takes it when it is sent again', async () => {
  let isBroken = true;
  await listen(async (pieces) => {
    if (isBroken && pieces.some((piece) => 'bytes' in piece && piece.bytes.includes('|E2|'))) {
      throw new TypeError('of one message');
    }
    return await taker.take(pieces);
  });
  const sender = new Sender();
  sender.socket.write(Buffer.concat([message('E1'), message('E2'), message('E3')]));
  expect(await sender.tells(3)).toEqual(['AA E1', 'AR E2', 'AA E3']);
  isBroken = false;
  sender.socket.write(message('E2'));
  expect((await sender.tells(4))[3]).toBe('AA E2');
  const other = await openSqliteImport(folder);
  await other.begin(0);
  sender.socket.write(message('E4'));
  expect((await sender.tells(5))[4]).toBe('AR E4');
  await other.rollback();
  await other.close();
  sender.socket.write(message('E4'));
  expect((await sender.tells(6))[5]).toBe('AA E4');
  expect(failures.map((error) => (error as Error).name)).toEqual([
    'TypeError',
    'ImportFailedError',
  ]);
  sender.socket.destroy();
});

it('stops after the messages in hand, and answers them', async () => {
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  let goOn = (): void => undefined;
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  await listen(async (pieces) => {
    begun();
    await mayGoOn;
    return await taker.take(pieces);
  });
  const sender = new Sender();
  sender.socket.write(message('F1'));
  await hasBegun;
  sender.socket.write(Buffer.concat([message('F2'), message('F3').subarray(0, 50)]));
  const stopped = Promise.all([queue.stop(), server?.stop()]);
  goOn();
  await Promise.all([stopped, sender.ended]);
  expect(sender.told).toEqual(['AA F1']);
});
