import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caregate, kill, newFolder, removeFolder, start } from './caregate.testing.ts';
import type { Running } from './caregate.testing.ts';

let folder: string;
let upstream: Running;
let upstreamKey: string;
let team: string;

beforeAll(async () => {
  folder = newFolder();
  mkdirSync(join(folder, 'upstream'));
  upstream = await start(['demo', '--users', '20'], join(folder, 'upstream'));
  upstreamKey = upstream.ready.keys['integration']!;
  team = upstream.ready.team_id!;
  writeFileSync(join(folder, 'upstream.key'), `${upstreamKey}\n`, { mode: 0o600 });
});
afterAll(() => {
  kill(upstream);
  removeFolder(folder);
});

const get = async (base: string, path: string, key: string): Promise<[number, string]> => {
  const answer = await fetch(base + path, { headers: { 'x-service-api-key': key } });
  return [answer.status, await answer.text()];
};

describe('caregate serve with upstreams', () => {
  it('serves the five reads of another Caregate, with roles, and records them', async () => {
    const data = join(folder, 'data');
    const made = caregate([
      ...['keys', 'create', '--team', team, '--data', data, '--json', '--label', 'e2e'],
      ...['--role', 'clinician'],
    ]);
    const { key } = JSON.parse(made.stdout) as { key: string };
    const file = join(folder, 'upstreams.json');
    const entry = { base_url: upstream.ready.base_url, api_key_file: 'upstream.key' };
    writeFileSync(file, JSON.stringify({ [team]: entry }), { mode: 0o600 });
    const env = { CAREGATE_UPSTREAMS: file };
    const gateway = await start(['serve', '--data', data], folder, env);
    try {
      const { user_id: user, client_user_id: client, order_id: order } = upstream.ready.sample!;
      const minutes = `/v2/timeseries/${user}/mindfulness_minutes/grouped?start_date=2000-01-01`;
      for (const path of [
        '/v2/user/?limit=7',
        `/v2/user/resolve/${client}`,
        `/v2/user/${user}/insurance/latest`,
        `/v3/order/${order}/result`,
        minutes,
      ]) {
        const through = await get(gateway.ready.base_url, path, key);
        expect(through).toEqual(await get(upstream.ready.base_url, path, upstreamKey));
        expect(through[0]).toBe(200);
      }
      // The upstream's key opens nothing here.
      expect((await get(gateway.ready.base_url, '/v2/user/', upstreamKey))[0]).toBe(401);
    } finally {
      expect(await gateway.end()).toBe(0);
    }
    expect(`${gateway.stdout()}${gateway.stderr()}`).not.toContain(upstreamKey);
    const exported = caregate(['audit', 'export', '--data', data, '--format', 'ndjson']);
    for (const operation of [
      'listUsers',
      'resolveUser',
      'latestInsurance',
      'labOrderResult',
      'mindfulnessMinutes',
    ]) {
      expect(exported.stdout).toContain(`\\"operation\\":\\"${operation}\\"`);
    }
    expect(exported.stdout).not.toContain(upstreamKey);
  });

  it('does not start with keys that others may read, and names the file', () => {
    const file = join(folder, 'open.json');
    writeFileSync(
      file,
      JSON.stringify({ [team]: { base_url: 'https://a.example', api_key: 'k' } }),
    );
    chmodSync(file, 0o644);
    const tried = caregate(['serve', '--data', join(folder, 'other'), '--port', '0'], {
      CAREGATE_UPSTREAMS: file,
    });
    expect(tried.status).toBe(2);
    expect(tried.stderr).toBe(
      `${file} contains keys but is readable by other users. Restrict its permissions (chmod 600).\n`,
    );
  });
});
