import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bin, caregate, newFolder, served, type Running, start } from './caregate.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 12 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const paths = ['/v2/user?limit=20', `/v3/order/${order.order_id}/result`];

const folder = newFolder();
const data = join(folder, 'data');
const { service, headers } = await served({ folder, data }, envelopes);

const answersOf = async (one: Running): Promise<string[]> =>
  await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${one.ready.base_url}${path}`, { headers });
      expect(answer.status).toBe(200);
      return await answer.text();
    }),
  );

describe('caregate backup', () => {
  it('copies a folder that is being served and read; the copy serves the same, and its log verifies', async () => {
    const before = await answersOf(service);
    const ended = new AbortController();
    let rounds = 0;
    const reading = (async () => {
      while (!ended.signal.aborted) {
        await answersOf(service);
        rounds += 1;
      }
    })();
    const to = join(folder, 'backup');
    const child = spawn(process.execPath, [bin, 'backup', to, '--data', data]);
    expect(await once(child, 'exit')).toEqual([0, null]);
    ended.abort();
    await reading;
    expect(rounds).toBeGreaterThan(0);
    const copied = [
      'access.db',
      'audit-key.pem',
      'audit-log-id',
      'audit.db',
      'backup.json',
      'metrics-token',
      'store.db',
    ];
    expect(readdirSync(to).sort()).toEqual(copied);
    for (const name of readdirSync(to)) {
      expect(statSync(join(to, name)).mode & 0o077).toBe(0);
    }
    expect(caregate(['audit', 'verify', '--data', to])).toMatchObject({ status: 0 });
    const restored = await start(['serve', '--data', to], newFolder());
    expect(await answersOf(restored)).toEqual(before);
    expect(await restored.end('SIGTERM')).toBe(0);
    expect(caregate(['audit', 'verify', '--data', to])).toMatchObject({ status: 0 });
  });
});
