import { afterAll, afterEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CidrList } from '../../config/cidr-list.ts';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { glucose, labMessage } from '@caregate/hl7v2/testing';
import type { Piece } from '@caregate/hl7v2';
import {
  toIdBytes,
  importEnvelopes,
  ImportWriter,
  MessageStore,
  openStoreForWriting,
} from '@caregate/data-store';
import { bodiesIn } from '../../audit/records.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { CommandLog } from '../common/command-log.ts';
import { MessageQueue } from './message-queue.ts';
import { MessageTaker, type Answer } from './message-taker.ts';
import { serveMllp, type MllpServer } from './mllp-server.ts';
import { createSpecFolder } from '../../testing/folder.testing.ts';

const folder = createSpecFolder();
const log = new CommandLog({ dataDir: folder });
// A store with people but without an audit log would be refused.
await log.record({ operation: 'importStarted', details: {} });
const database = await openStoreForWriting({ dataDir: folder });
let end = (): void => undefined;
// As the command does, keeps the log open.
const held = log.hold(() => new Promise<void>((resolve) => (end = resolve)));
afterAll(async () => {
  end();
  await held;
  await database.close();
});
await importEnvelopes(new ImportWriter(database), 'people', sampleEnvelopes({ users: 1 }));
const taker = new MessageTaker({
  ...{ store: new MessageStore(database), log },
  ...{ team: toIdBytes(sampleTeamId), waitMs: 0, charset: 'ASCII' },
  patientId: { field: 'PID-3', authority: 'CLINIC', withoutAuthority: false },
});

let server: MllpServer | undefined;
let queue: MessageQueue;
const failures: unknown[] = [];
const reported: string[] = [];
const onProblem = (message: string): number => reported.push(message);
afterEach(async () => {
  await Promise.all([queue.stop(), server?.stop()]);
  failures.length = 0;
  reported.length = 0;
});

interface Listening {
  readonly take?: (pieces: readonly Piece[]) => Promise<Answer[]>;
  /** Replaces the response of the message queue. */
  readonly answer?: () => Promise<Uint8Array>;
  readonly idleMs?: number;
  readonly allowed?: readonly string[];
}

async function listen({ take, answer, allowed = [], ...idle }: Listening = {}): Promise<void> {
  const filing = { take: take ?? ((pieces: readonly Piece[]) => taker.take(pieces)) };
  queue = new MessageQueue(filing, (error) => failures.push(error));
  server = await serveMllp(
    { host: '127.0.0.1', port: 0 },
    {
      ...{ onProblem, allowed: new CidrList(allowed), ...idle },
      answer: answer ?? (async (piece) => (await queue.answer(piece))?.bytes),
    },
  );
}

/** Acknowledges every message without filing it, for tests of connections. */
const accept = (): Promise<Uint8Array> => Promise.resolve(Buffer.from('MSH|^~\\&\rMSA|AA|1'));

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

  /** The code and message ID of each acknowledgement. */
  get reported(): string[] {
    const frames = [...this.text.matchAll(/\x0b([^\x0b\x1c]*)\x1c\r/gu)];
    return frames.map(([, text]) => {
      const [, , code, id = ''] = /(^|\r)MSA\|([A-Z]{2})\|([^\r|]*)/u.exec(text ?? '') ?? [];
      return `${code} ${id}`.trim();
    });
  }

  async receive(count: number): Promise<string[]> {
    await until(() => this.reported.length >= count);
    return this.reported;
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
  expect(await sender.receive(3)).toEqual(['AA A1', 'AA A2', 'AA A3']);
  sender.socket.setNoDelay(true);
  for (const byte of message('A4')) {
    sender.socket.write(Buffer.of(byte));
  }
  sender.socket.write('\n');
  expect(await sender.receive(4)).toContain('AA A4');
  // The sender may close its side immediately, and still gets the acknowledgements.
  sender.socket.end(Buffer.concat([message('A5'), message('A1')]));
  expect((await sender.receive(6)).slice(4)).toEqual(['AA A5', 'AA A1']);
  await sender.ended;
});

it('refuses a frame that holds no laboratory message', async () => {
  await listen();
  const sender = new Sender();
  sender.socket.write(framed(Buffer.from([0, 255, 1, 2])));
  sender.socket.write(framed(Buffer.alloc(0)));
  const adt = labMessage({ controlId: 'C1' }).toString().replace('ORU^R01', 'ADT^A01');
  sender.socket.write(framed(Buffer.from(adt.replace('2.5.1\r', '2.5.1|||AL\r'))));
  sender.socket.write(Buffer.concat([Buffer.from('\x0bMSH|begun'), message('C2')]));
  expect(await sender.receive(5)).toEqual(['AR', 'AR', 'CR C1', 'AR', 'AA C2']);
  expect(sender.socket.destroyed).toBe(false);
  sender.socket.destroy();
});

it('ignores bytes between frames, and says so once, but of blanks and NUL', async () => {
  await listen();
  const [blank, stray] = [new Sender(), new Sender()];
  blank.socket.write(
    Buffer.concat([Buffer.from('\0\r\n'), message('S1'), Buffer.of(0), message('S2')]),
  );
  expect(await blank.receive(2)).toEqual(['AA S1', 'AA S2']);
  expect(reported).toEqual([]);
  const bytes = [message('S3'), Buffer.from('xy'), message('S4'), Buffer.from('z'), message('S5')];
  stray.socket.write(Buffer.concat(bytes));
  expect(await stray.receive(3)).toEqual(['AA S3', 'AA S4', 'AA S5']);
  expect(reported).toEqual(['Bytes between the messages of a connection are ignored.']);
  [blank, stray].forEach(({ socket }) => socket.destroy());
});

it('ends a connection that does not begin with a frame, and files nothing that it has', async () => {
  await listen();
  const sender = new Sender();
  const body = message('H1');
  const post = Buffer.from(`POST / HTTP/1.1\r\nContent-Length: ${body.length}\r\n\r\n`);
  sender.socket.write(Buffer.concat([post, body]));
  await sender.ended;
  expect([sender.text, reported.length]).toEqual(['', 1]);
  const other = new Sender();
  other.socket.write(message('H1'));
  expect(await other.receive(1)).toEqual(['AA H1']);
  other.socket.destroy();
  const [taken] = bodiesIn(folder).slice(-1);
  expect(taken?.details['orders_added']).toBe(1);
});

it('takes connections of allowed addresses only', async () => {
  await listen({ allowed: ['10.1.0.0/16'] });
  const [one, two] = [new Sender(), new Sender()];
  await Promise.all([one.ended, two.ended]);
  const refusal = 'A connection of 127.0.0.1 is refused: --allow does not name it.';
  expect(reported).toEqual([refusal, refusal]);
});

it('ends the connection that was idle for the longest time when another one comes to a full server', async () => {
  await listen({ answer: accept });
  const first = new Sender();
  first.socket.write(message('I0'));
  await first.receive(1);
  const others = Array.from({ length: 63 }, () => new Sender());
  for (const { socket } of others) {
    socket.write(message('I1'));
  }
  await Promise.all(others.map((sender) => sender.receive(1)));
  const last = new Sender();
  last.socket.write(message('I64'));
  expect(await last.receive(1)).toEqual(['AA 1']);
  await first.ended;
  [...others, last].forEach(({ socket }) => socket.destroy());
});

it('ends a connection whose frame is too long, or is not whole after a pause; one between frames stays', async () => {
  // Long enough for a slow machine to read the first bytes before.
  await listen({ idleMs: 2000 });
  const [waits, pauses, long] = [new Sender(), new Sender(), new Sender()];
  waits.socket.write(message('D1'));
  pauses.socket.write(message('D2').subarray(0, 100));
  long.socket.write(Buffer.concat([Buffer.of(0x0b), Buffer.alloc(16 * 2 ** 20 + 1, 'x')]));
  await Promise.all([pauses.ended, long.ended]);
  expect([pauses.reported, long.reported]).toEqual([['AR'], ['AR']]);
  waits.socket.write(message('D3'));
  expect(await waits.receive(2)).toEqual(['AA D1', 'AA D3']);
  waits.socket.destroy();
});

it('keeps a connection while a message takes longer to file than a pause may last', async () => {
  const answer = async (): Promise<Uint8Array> => {
    await sleep(300);
    return Buffer.from('MSA|AA|F');
  };
  await listen({ answer, idleMs: 100 });
  const sender = new Sender();
  for (const count of [1, 2]) {
    sender.socket.write(message('F'));
    expect(await sender.receive(count)).toHaveLength(count);
  }
  sender.socket.destroy();
});

it('ends a connection whose sender does not read the answers, and says so', async () => {
  await listen({ answer: () => Promise.resolve(Buffer.alloc(32 * 2 ** 20)), idleMs: 50 });
  const deaf = new Sender();
  deaf.socket.pause().write(message('G1'));
  await until(() => reported.length > 0);
  expect(reported.map((why) => why.split(':')[0])).toEqual(['A connection was closed']);
  deaf.socket.destroy();
});

it('refuses a connection while all 64 others are within a message', async () => {
  await listen({ answer: accept });
  const senders = Array.from({ length: 64 }, () => new Sender());
  for (const { socket } of senders) {
    socket.write(Buffer.concat([message('J1'), Buffer.from('\x0bMSH|begun')]));
  }
  await Promise.all(senders.map((sender) => sender.receive(1)));
  await new Sender().ended;
  expect(reported).toEqual(['A connection is refused: 64 are open.']);
  senders.forEach(({ socket }) => socket.destroy());
});

it('refuses what cannot be stored now, alone if it is the cause, and takes it when it is sent again', async () => {
  let isBroken = true;
  const take: Listening['take'] = async (pieces) => {
    if (isBroken && pieces.some((piece) => 'bytes' in piece && piece.bytes.includes('|E2|'))) {
      throw new TypeError('of one message');
    }
    return await taker.take(pieces);
  };
  await listen({ take });
  const sender = new Sender();
  sender.socket.write(Buffer.concat([message('E1'), message('E2'), message('E3')]));
  expect(await sender.receive(3)).toEqual(['AA E1', 'AR E2', 'AA E3']);
  isBroken = false;
  sender.socket.write(message('E2'));
  expect((await sender.receive(4))[3]).toBe('AA E2');
  const other = await openStoreForWriting({ dataDir: folder });
  await other.begin(0);
  sender.socket.write(message('E4'));
  expect((await sender.receive(5))[4]).toBe('AR E4');
  await other.rollback();
  await other.close();
  sender.socket.write(message('E4'));
  expect((await sender.receive(6))[5]).toBe('AA E4');
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
  const take: Listening['take'] = async (pieces) => {
    begun();
    await mayGoOn;
    return await taker.take(pieces);
  };
  await listen({ take });
  const sender = new Sender();
  sender.socket.write(message('F1'));
  await hasBegun;
  sender.socket.write(Buffer.concat([message('F2'), message('F3').subarray(0, 50)]));
  const stopped = Promise.all([queue.stop(), server?.stop()]);
  goOn();
  await Promise.all([stopped, sender.ended]);
  expect(sender.reported).toEqual(['AA F1']);
});
