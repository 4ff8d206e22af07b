import { beforeAll, describe, expect, it } from '@jest/globals';
import { share } from '@caregate/seeded/seed';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import type { Running } from './caregate.testing.ts';
import {
  env,
  folder,
  get,
  ids,
  inDatabase,
  load,
  logOf,
  newKey,
  requireRecorded,
  runCommand,
  server,
  startBoth,
  until,
} from './postgres-instances.testing.ts';

const verifier = fileURLToPath(
  new URL('../../../tools/audit-verifier/src/verify.mjs', import.meta.url),
);

describe('two instances on one database', () => {
  let one: Running;
  let other: Running;
  beforeAll(async () => {
    [one, other] = await startBoth();
  });

  it('say that PostgreSQL waits for no standby, at their start and while it is so', async () => {
    expect(one.stdout()).toContain('PostgreSQL confirms a commit without a standby');
    const synchronous = async (): Promise<string | undefined> => {
      const text = await one.metrics();
      return /^caregate_database_synchronous (\S+)$/mu.exec(text)?.[1];
    };
    expect(await synchronous()).toBe('0');
    for (const [statement, is] of [
      [`alter system set synchronous_standby_names = 'nobody'`, '1'],
      ['alter system reset synchronous_standby_names', '0'],
    ] as const) {
      await inDatabase(statement);
      await inDatabase('select pg_reload_conf()');
      while ((await synchronous()) !== is) await sleep(20);
    }
  });

  it('know a key at once, each records in a log of its own, and a revocation holds from the next request on', async () => {
    const { key, key_id: keyId } = await newKey();
    const answers = [await get(one, key), await get(other, key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(logOf(answers[0]!)).not.toBe(logOf(answers[1]!));
    const { key: auditor } = await newKey('auditor');
    const ask = async (at: string): Promise<Response> =>
      await fetch(`${one.ready.base_url}${at}`, { headers: { 'x-service-api-key': auditor } });
    const page = (await (await ask('/audit/events?operation=labOrderResult')).json()) as {
      events: { record_id: string }[];
    };
    const places = page.events.slice(0, 2).map(({ record_id: id }) => ids.decrypt(id));
    expect(places.map((place) => `${place?.logId}/${place?.seq}`)).toEqual(
      answers.map(({ record }) => record).reverse(),
    );
    // Another instance has signed its log at least at its start, so this proof exists.
    expect((await ask(`/audit/proof?log=${logOf(answers[1]!)}&from=0`)).status).toBe(200);
    await runCommand('keys', 'revoke', keyId);
    expect((await get(one, key)).status).toBe(401);
    expect((await get(other, key)).status).toBe(401);
    await requireRecorded(answers);
  });

  it('are verified, proved and exported by commands, against what was kept elsewhere', async () => {
    const [keys, kept] = [join(folder, 'keys'), join(folder, 'kept')];
    writeFileSync(keys, await runCommand('audit', 'public-key'));
    writeFileSync(kept, await runCommand('audit', 'checkpoint'));
    const proof = ['--public-key', keys, '--checkpoint', kept];
    const verified = await runCommand('audit', 'verify', ...proof);
    for (const line of [
      'Log verified: ',
      'extends the given checkpoint',
      'by the given public key',
    ]) {
      expect([line, verified.split(line).length - 1]).toEqual([line, 3]);
    }
    const [log = ''] = readFileSync(kept, 'utf8').match(/(?<=audit\/)[0-9a-f]{12}/u) ?? [];
    const key = (await runCommand('audit', 'public-key', '--log', log)).trim();
    const [file, note] = [join(folder, 'log.ndjson'), join(folder, 'note')];
    writeFileSync(note, await runCommand('audit', 'checkpoint', '--log', log));
    writeFileSync(file, await runCommand('audit', 'export', '--log', log));
    const independent = spawnSync(process.execPath, [verifier, file, key, note]);
    expect([independent.status, independent.stderr.toString()]).toEqual([0, '']);
    const csv = await runCommand('audit', 'export', '--format', 'csv');
    expect(
      new Set(csv.match(/^"\d+","[^"]+","[0-9a-f]{12}"/gmu)?.map((line) => line.slice(-13))),
    ).toHaveProperty('size', 3);
    expect(csv).toContain('exportAudit');
    expect(await runCommand('audit', 'alarms')).not.toContain('startUp');
    const id = ids.encrypt({ logId: log, seq: 0 });
    expect(JSON.parse(await runCommand('audit', 'events', '--record', id))).toMatchObject({
      ...{ log_id: log, seq: 0, operation: 'openAuditLog' },
    });
    const none = await caregateIn(env, ['audit', 'verify', '--log', '000000000000']);
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('no such audit log')]);
  });

  it.each(share(['fast', 'immediate'] as const, 2))(
    'refuse while the database is down (%s), never answer unrecorded, and recover by themselves',
    async (how) => {
      const { key } = await newKey();
      const loaded = load([one, other], key);
      const hasAnswered = (status: number): boolean =>
        loaded.answers.some((answer) => answer.status === status);
      await until(() => hasAnswered(200));
      await server.down(how);
      await until(() => hasAnswered(503));
      await until(async () => (await get(one, key)).status === 503);
      await until(async () => (await get(other, key)).status === 503);
      const ready = await fetch(`${other.ready.base_url}/readyz`);
      expect(ready.status).toBe(503);
      await server.up();
      await until(async () => (await get(one, key)).status === 200);
      await until(async () => (await get(other, key)).status === 200);
      const answers = await loaded.stop();
      const kinds = new Set(answers.map(({ status }) => status));
      expect([...kinds].sort()).toEqual([200, 503]);
      await requireRecorded(answers);
    },
  );
});
