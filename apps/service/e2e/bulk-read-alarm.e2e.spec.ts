import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BULK_READ_RECORDS } from '../src/access/limits/read-watch.ts';
import {
  caregate,
  kill,
  newFolder,
  noLimits,
  removeFolder,
  type Running,
  start,
} from './caregate.testing.ts';

/** Requests at a time; each answer waits for its record, and records are written together. */
const AT_ONCE = 50;

let folder: string;
let service: Running;
const people = [...sampleEnvelopes({ users: BULK_READ_RECORDS + 1, kinds: ['user'] })];
const users = people.flatMap((envelope) => (envelope.kind === 'user' ? [envelope.user] : []));
let frontDesk: { key: string; key_id: string };
let auditor: { key: string };
let otherAuditor: { key: string };

beforeAll(async () => {
  folder = newFolder();
  const data = join(folder, 'data');
  const file = join(folder, 'people.ndjson');
  writeFileSync(file, people.map((each) => `${JSON.stringify(each)}\n`).join(''));
  expect(caregate(['import', file, '--data', data, '--team', sampleTeamId]).status).toBe(0);
  const makeKey = (team: string, role: string): typeof frontDesk => {
    const flags = ['--data', data, '--team', team, '--role', role, '--label', role, '--json'];
    return JSON.parse(caregate(['keys', 'create', ...flags]).stdout) as typeof frontDesk;
  };
  frontDesk = makeKey(sampleTeamId, 'front_desk');
  auditor = makeKey(sampleTeamId, 'auditor');
  otherAuditor = makeKey(otherTeamId, 'auditor');
  service = await start(['serve', '--data', data], folder, {
    ...noLimits,
    CAREGATE_LOG_LEVEL: 'warn',
  });
});
afterAll(async () => {
  agent.destroy();
  await service.end();
  kill(service);
  removeFolder(folder);
});

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

async function read(path: string, key: string): Promise<{ status: number; body: string }> {
  return await new Promise((resolve, reject) => {
    const headers = { 'x-service-api-key': key };
    request(new URL(path, service.ready.base_url), { agent, headers }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body });
      });
    })
      .on('error', reject)
      .end();
  });
}

async function resolveAll(wanted: typeof users): Promise<void> {
  const waiting = [...wanted];
  const worker = async (): Promise<void> => {
    for (let user = waiting.pop(); user !== undefined; user = waiting.pop()) {
      const { status, body } = await read(
        `/v2/user/resolve/${encodeURIComponent(user.client_user_id)}`,
        frontDesk.key,
      );
      expect(status).toBe(200);
      // One person whole, also for a role whose list is masked.
      expect(JSON.parse(body)).toEqual(user);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

interface Event {
  readonly body: Readonly<Record<string, unknown>>;
}
async function bulkReads({ key }: { key: string }): Promise<readonly Event[]> {
  const { status, body } = await read('/audit/alarms', key);
  expect(status).toBe(200);
  const { events } = JSON.parse(body) as { events: Event[] };
  return events.filter((event) => event.body['operation'] === 'bulkRead');
}

describe('a key of a role that sees lists masked', () => {
  it('raises an alarm for its team’s auditor when it resolves one person after another', async () => {
    const { body: list } = await read('/v2/user/?limit=5', frontDesk.key);
    expect(list).toContain('"connected_sources":[]');
    expect(list).not.toContain('"slug"');
    // The list has shown five people already, so that the last of these is the one before the alarm.
    await resolveAll(users.slice(0, BULK_READ_RECORDS - 6));
    expect(await bulkReads(auditor)).toEqual([]);
    await resolveAll(users.slice(BULK_READ_RECORDS - 6, BULK_READ_RECORDS - 5));
    let alarms = await bulkReads(auditor);
    while (alarms.length === 0) {
      await sleep(20);
      alarms = await bulkReads(auditor);
    }
    expect(alarms).toHaveLength(1);
    expect(alarms[0]?.body).toMatchObject({
      team_id: sampleTeamId,
      key_id: frontDesk.key_id,
      details: { records: BULK_READ_RECORDS },
    });
    expect(service.stdout()).toContain(`"alarm":"bulk-read"`);
    expect(await bulkReads(otherAuditor)).toEqual([]);
    // Nobody is refused for it, and it is raised once an hour.
    await resolveAll(users.slice(BULK_READ_RECORDS - 5));
    expect(await bulkReads(auditor)).toHaveLength(1);
  });
});
