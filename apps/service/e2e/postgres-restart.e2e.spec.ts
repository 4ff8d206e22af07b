import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  caregate,
  kill,
  newFolder,
  noLimits,
  removeFolder,
  type Running,
  start,
} from './caregate.testing.ts';

let server: PostgresServer;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startPostgres();
  folder = newFolder();
  env = { DATABASE_URL: server.url, CAREGATE_DATA: join(folder, 'commands') };
});

afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

describe('caregate serve on PostgreSQL', () => {
  it('is restarted, one instance after the other, without a failed request', async () => {
    const file = join(folder, 'people.ndjson');
    const lines = Array.from(sampleEnvelopes({ users: 12 }), (each) => JSON.stringify(each));
    writeFileSync(file, lines.join('\n'));
    expect(caregate(['import', file], env).status).toBe(0);
    const made = caregate(
      ['keys', 'create', '--json', '--team', sampleTeamId, '--role', 'clinician', '--label', 'x'],
      env,
    );
    const { key } = JSON.parse(made.stdout) as { key: string };
    const headers = { 'x-service-api-key': key };
    const launch = (name: string): Promise<Running> =>
      start(['serve', '--data', join(folder, name)], newFolder(), { ...env, ...noLimits });
    const instances = [await launch('one'), await launch('other')];
    const ask = async (one: Running | undefined): Promise<number> => {
      const answer = await fetch(`${one?.ready.base_url}/v2/user?limit=5`, { headers });
      const { total } = (await answer.json()) as { total?: number };
      return answer.status === 200 && total !== 12 ? 0 : answer.status;
    };
    // As a load balancer does: where an instance refuses, or says that it is stopping, the next is asked.
    const statuses: number[] = [];
    let goesOn = true;
    const clients = [0, 1, 2].map(async (n) => {
      for (let turn = n; goesOn; turn += 1) {
        const status = await ask(instances[turn % 2]).catch(() => 503);
        statuses.push(status === 503 ? await ask(instances[(turn + 1) % 2]) : status);
        await sleep(10);
      }
    });
    for (const [n, name] of ['one', 'other'].entries()) {
      const { length } = statuses;
      const old = instances[n]!;
      expect(await old.end('SIGTERM')).toBe(0);
      while (statuses.length < length + 10) await sleep(20);
      instances[n] = await launch(name);
    }
    const { length: before } = statuses;
    while (statuses.length < before + 10) await sleep(20);
    goesOn = false;
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
    instances.forEach(kill);
  });
});
