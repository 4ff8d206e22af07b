import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './caregate.testing.ts';
import {
  type Answer,
  atTheEnd,
  folder,
  get,
  instance,
  load,
  logOf,
  newKey,
  requireRecorded,
  runCommand,
  startBoth,
  until,
} from './postgres-instances.testing.ts';

describe('two instances on one database', () => {
  let one: Running;
  let other: Running;
  beforeAll(async () => {
    [one, other] = await startBoth();
  });

  it('are restarted, one after the other, without a failed request', async () => {
    const { key } = await newKey();
    const instances = [one, other];
    const answers: Answer[] = [];
    let goesOn = true;
    // Like a load balancer, tries the other instance if one refuses or is stopping.
    const clients = [0, 1, 2].map(async (n) => {
      for (let turn = n; goesOn && !atTheEnd.signal.aborted; turn += 1) {
        const answer = await get(instances[turn % 2]!, key);
        const isRefused = answer.status === 0 || answer.status === 503;
        answers.push(isRefused ? await get(instances[(turn + 1) % 2]!, key) : answer);
        await sleep(10);
      }
    });
    const tenMore = async (): Promise<void> => {
      const { length } = answers;
      await until(() => answers.length > length + 10);
    };
    for (const [n, name] of ['one', 'other'].entries()) {
      expect(await instances[n]!.end('SIGTERM')).toBe(0);
      await tenMore();
      instances[n] = await instance(name);
      // No client uses the stopped instance any more when the next one stops.
      await tenMore();
    }
    [one, other] = instances as [Running, Running];
    goesOn = false;
    await Promise.all(clients);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('fail no request while the API key, the secret of cursors and both signing keys are rotated', async () => {
    const { key, key_id: keyId } = await newKey();
    const old = load([one, other], key);
    const { key: next } = JSON.parse(await runCommand('keys', 'rotate', keyId, '--json')) as {
      key: string;
    };
    const rotated = load([one, other], next);
    await runCommand('secrets', 'rotate');
    for (const name of ['one', 'other']) {
      await runCommand('audit', 'rotate-key', '--data', join(folder, name));
      const counts = [old, rotated].map(({ answers }) => answers.length);
      await until(() => [old, rotated].every(({ answers }, n) => answers.length > counts[n]! + 10));
    }
    const answers = [...(await old.stop()), ...(await rotated.stop())];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await requireRecorded(answers);
  });

  it('lose no record when one is killed, which then goes on with its own log', async () => {
    const { key } = await newKey();
    const loaded = load([one, other], key);
    const answering = (): Set<string> =>
      new Set(loaded.answers.filter(({ status }) => status === 200).map(logOf));
    await until(() => loaded.answers.length > 100 && answering().size === 2);
    await one.end('SIGKILL');
    const { length } = loaded.answers;
    await until(() => loaded.answers.slice(length).some(({ status }) => status === 200));
    const answers = await loaded.stop();
    const logs = new Set(answers.filter(({ status }) => status === 200).map(logOf));
    expect(logs.size).toBe(2);
    one = await instance('one');
    const after = await get(one, key);
    expect(after.status).toBe(200);
    expect(logs).toContain(logOf(after));
    await requireRecorded([...answers, after]);
  });
});
