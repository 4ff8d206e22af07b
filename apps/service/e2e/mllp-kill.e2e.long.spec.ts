import { beforeAll, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { seed } from '@caregate/seeded/seed';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { glucose, labMessage } from '@caregate/hl7v2/testing';
import { bin, caregate, newFolder } from './caregate.testing.ts';

const ROUNDS = 200;
const SENDERS = 3;

let folder: string;
let data: string;
beforeAll(() => {
  folder = newFolder();
  data = join(folder, 'data');
  const people = [...sampleEnvelopes({ users: 1 })].filter(({ kind }) => kind.startsWith('user'));
  const file = join(folder, 'people');
  writeFileSync(file, people.map((each) => JSON.stringify(each)).join('\n'));
  expect(caregate(['import', file, '--data', data]).stderr).toBe('');
});

/** Sends messages one by one until the connection ends. */
async function send(
  port: number,
  next: () => string,
  onAnswer: (id: string) => void,
): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let sent = '';
  const sendNext = (): void => {
    sent = next();
    const message = labMessage({ controlId: sent, placer: sent, observations: [glucose('5.40')] });
    socket.write(Buffer.concat([Buffer.of(0x0b), message, Buffer.of(0x1c, 0x0d)]));
  };
  socket.on('data', (chunk: Buffer) => {
    expect(chunk.toString()).toContain(`MSA|AA|${sent}\r`);
    onAnswer(sent);
    sendNext();
  });
  sendNext();
  // `once` would reject if the connection is reset.
  await new Promise((resolve) => socket.on('close', resolve));
}

it(`${ROUNDS} kills lose no message that was answered, and double none`, async () => {
  const ready = join(folder, 'ready');
  const words = ['import', '--format', 'hl7v2', '--mllp', '127.0.0.1:0', '--ready-file', ready];
  const of = ['--data', data, '--team', sampleTeamId, '--authority', 'CLINIC'];
  const answered = new Set<string>();
  let unanswered: string[] = [];
  let number = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    rmSync(ready, { force: true });
    const child = spawn(process.execPath, [bin, ...words, ...of], { stdio: 'ignore' });
    const ended = once(child, 'close');
    while (!existsSync(ready)) {
      expect(child.exitCode).toBeNull();
      await sleep(5);
    }
    const { mllp } = JSON.parse(readFileSync(ready, 'utf8')) as { mllp: string };
    // Sends unacknowledged messages again, as a laboratory does.
    const again = unanswered;
    unanswered = [];
    const begun = new Set<string>();
    const next = (): string => {
      const id = again.pop() ?? `M${(number += 1)}`;
      begun.add(id);
      return id;
    };
    let left = 1 + ((seed + round * 89) % 12);
    const onAnswer = (id: string): void => {
      answered.add(id);
      begun.delete(id);
      left -= 1;
      if (left === 0) {
        // Kills it at a random time within the next messages.
        setTimeout(() => child.kill('SIGKILL'), (seed + round * 7) % 30);
      }
    };
    const port = Number(mllp.split(':')[1]);
    await Promise.all(Array.from({ length: SENDERS }, () => send(port, next, onAnswer)));
    expect(await ended).toEqual([null, 'SIGKILL']);
    unanswered = [...again, ...begun];
  }
  const db = new DatabaseSync(join(data, 'store.db'), { readOnly: true, timeout: 30_000 });
  const count = (text: string): number => Number(db.prepare(text).get()?.['count']);
  const taken = count(`select count(*) as count from hl7_messages where waits_for = ''`);
  const orders = count('select count(*) as count from lab_results');
  const doubled = count('select count(*) as count from lab_result_versions');
  expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  db.close();
  // Each message has one order. All acknowledged orders are stored, and perhaps some of the last ones.
  expect([taken, doubled]).toEqual([orders, 0]);
  expect(taken).toBeGreaterThanOrEqual(answered.size);
  expect(taken).toBeLessThanOrEqual(answered.size + unanswered.length);
  const all = join(folder, 'all');
  writeFileSync(
    all,
    [...answered].map((id) => labMessage({ controlId: id, placer: id }).toString()).join(''),
  );
  const file = ['import', all, '--format', 'hl7v2', ...of, '--json'];
  const printed = caregate(file).stdout.trim().split('\n');
  expect(printed.length).toBe(answered.size);
  expect(printed.filter((line) => !line.includes('"change":"unchanged"'))).toEqual([]);
  const verified = caregate(['audit', 'verify', '--data', data]);
  expect([verified.status, verified.stderr]).toEqual([0, '']);
});
