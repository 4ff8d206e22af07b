import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../testing/until.testing.ts';
import { notifySystemd } from './notify-systemd.ts';

/** A program that prints each message with the time of `process.hrtime`. */
const RECEIVER = `
import socket, sys, time
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound 0', flush=True)
while True:
    for line in receiver.recv(4096).decode().split():
        print(line, time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000000, flush=True)
`;

const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

(has('python3') && has('systemd-notify') ? describe : describe.skip)('under systemd', () => {
  const everyMs = 500;
  const received: { message: string; atMs: number }[] = [];
  const watchdogs = (): number[] =>
    received.flatMap(({ message, atMs }) => (message === 'WATCHDOG=1' ? [atMs] : []));
  let folder: string;
  let receiver: ChildProcess;
  let stop: () => void;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'caregate-systemd-'));
    const socket = join(folder, 'notify');
    receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface({ input: receiver.stdout! }).on('line', (line) => {
      const [message = '', at] = line.split(' ');
      received.push({ message, atMs: Number(at) });
    });
    await until(() => received.length > 0);
    Object.assign(process.env, { NOTIFY_SOCKET: socket, WATCHDOG_USEC: `${everyMs * 3 * 1000}` });
    stop = await notifySystemd();
  });

  afterAll(() => {
    stop();
    delete process.env['NOTIFY_SOCKET'];
    delete process.env['WATCHDOG_USEC'];
    receiver.kill();
    rmSync(folder, { recursive: true });
  });

  it('a service reports that it is ready, and then regularly that it runs', async () => {
    await until(() => watchdogs().length >= 2);
    const messages = received.map(({ message }) => message).filter((one) => one !== 'BARRIER=1');
    expect(messages.slice(0, 3)).toEqual(['bound', 'READY=1', 'WATCHDOG=1']);
  });

  it('a service with a blocked event loop sends nothing', async () => {
    const before = watchdogs().length;
    await until(() => watchdogs().length > before);
    const beganMs = nowMs();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, everyMs * 4);
    const endedMs = nowMs();
    const count = watchdogs().length;
    await until(() => watchdogs().length > count);
    // A message that was already being sent arrives within the first period.
    const isSilent = (atMs: number): boolean => atMs > beganMs + everyMs && atMs < endedMs;
    expect(watchdogs().filter(isSilent)).toEqual([]);
  });
});
