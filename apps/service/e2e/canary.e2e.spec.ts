import { beforeAll, describe, expect, it } from '@jest/globals';
import { otherTeamId, personas, sampleTeamId, sampleUserEnvelopes } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { caregate, exchange, newFolder, start } from './caregate.testing.ts';
import type { Running } from './caregate.testing.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';

const { amara } = personas;

/** Values that must not leak. The search also finds them percent-encoded and in other letter case. */
const marks = {
  userId: amara.userId,
  orderId: amara.orderIds[2]!,
  clientUserId: `${amara.clientUserId}/7`,
  givenName: 'Amara',
  familyName: 'Okonkwo',
  memberId: 'NWM284902123',
  phone: '+12125550123',
  birthDate: amara.birthDate,
  biomarker: 'Triglycerides',
  laboratory: 'Harbor Lantern',
  // Values that a client sends and that belong to no record.
  sentInPath: 'canary-in-path',
  sentInQuery: 'canary-in-query',
  sentInHeader: 'canary-in-header',
  sentInBody: 'canary-in-body',
  sentAsMethod: 'CANARYMETHOD',
  wrongKeyId: 'CANARYKEY000',
};

let folder: string;
let data: string;
let service: Running;
/** Complete API keys, and their secrets alone. */
const secrets: string[] = [];
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = newFolder();
  data = join(folder, 'data');
  const file = join(folder, 'people.ndjson');
  const people = Array.from(sampleUserEnvelopes(amara.index), (one) => JSON.stringify(one));
  writeFileSync(file, people.join('\n').replaceAll(amara.clientUserId, marks.clientUserId));
  const imported = caregate(['import', file, '--data', data]);
  expect([imported.status, imported.stderr]).toEqual([0, '']);
  expect(found(imported.stdout)).toEqual([]);
  for (const [label, team, role] of [
    ['clinician', sampleTeamId, 'clinician'],
    ['auditor', sampleTeamId, 'auditor'],
    ['desk', sampleTeamId, 'front_desk'],
    ['foreign', otherTeamId, 'clinician'],
  ] as const) {
    const flags = ['--team', team, '--role', role, '--label', label, '--data', data, '--json'];
    const { out } = await caregateIn({}, ['keys', 'create', ...flags]);
    const { key } = JSON.parse(out) as { key: string };
    keys[label] = key;
    secrets.push(key, key.split('_').slice(3).join('_'));
  }
  service = await start(['serve', '--data', data], folder);
});

/** Returns the names of the marks that the text contains. */
function found(text: string): string[] {
  let plain = text;
  try {
    plain = decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/giu, '%25'));
  } catch {
    // The decoded text is not valid UTF-8, so the text is searched as it is.
  }
  const all = [...Object.entries(marks), ...secrets.map((secret) => ['secret', secret] as const)];
  const haystack = `${text}\n${plain}`.toLowerCase();
  return all.filter(([, mark]) => haystack.includes(mark.toLowerCase())).map(([name]) => name);
}

interface Answer {
  readonly status: number;
  /** Body and headers of the response. */
  readonly text: string;
}

async function ask(path: string, key?: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${service.ready.base_url}${path}`, {
    redirect: 'manual',
    ...init,
    headers: {
      'x-request-id': marks.sentInHeader,
      'user-agent': marks.sentInHeader,
      'x-forwarded-for': marks.sentInHeader,
      referer: `https://${marks.sentInHeader}.example/`,
      ...(key === undefined ? {} : { 'x-service-api-key': key }),
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
  return { status: answer.status, text: `${headers.join('\n')}\n\n${await answer.text()}` };
}

const reads = [
  `/v2/user/?limit=10`,
  `/v2/user/resolve/${encodeURIComponent(marks.clientUserId)}`,
  `/v2/user/${marks.userId}/insurance/latest`,
  `/v3/order/${marks.orderId}/result`,
  `/v2/timeseries/${marks.userId}/mindfulness_minutes/grouped?start_date=2026-01-01`,
];

const refused = [
  `/v2/user/resolve/${marks.sentInPath}`,
  `/v2/user/${marks.sentInPath}/insurance/latest`,
  `/v3/order/${marks.sentInPath}/result`,
  `/v2/user/?limit=${marks.sentInQuery}`,
  // This name doesn't look like a parameter, so the response must not repeat it.
  `/v2/user/?${encodeURIComponent(marks.clientUserId)}=${marks.sentInQuery}`,
  `/v2/user/${marks.userId}/insurance/latest?is_primary=${marks.sentInQuery}`,
  `/v2/timeseries/${marks.userId}/mindfulness_minutes/grouped?start_date=${marks.sentInQuery}`,
  `/v2/timeseries/${marks.userId}/mindfulness_minutes/grouped?start_date=2026-01-01&next_cursor=${marks.sentInQuery}`,
  `/v2/timeseries/${marks.userId}/mindfulness_minutes/grouped?start_date=2026-01-01&provider=a&provider=${marks.sentInQuery}`,
  `/${marks.sentInPath}?${marks.sentInQuery}`,
  `/v2/user/resolve/%zz${marks.sentInPath}`,
  `/v2/user/resolve/${marks.sentInPath.repeat(200)}`,
  `/docs/${marks.sentInPath}`,
];

/** All refusals and errors that the clients received. None of them may contain a mark. */
let output = '';

describe('names, ids and keys', () => {
  it('are in the responses to callers who may read them', async () => {
    for (const path of reads) {
      const answer = await ask(path, keys['clinician']);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(found(answer.text).filter((name) => name === 'secret')).toEqual([]);
    }
    const texts = await Promise.all(reads.map(async (path) => await ask(path, keys['clinician'])));
    const shown = new Set(texts.flatMap(({ text }) => found(text)));
    expect(Object.keys(marks).filter((name) => !shown.has(name))).toEqual([
      ...['sentInPath', 'sentInQuery', 'sentInHeader', 'sentInBody', 'sentAsMethod', 'wrongKeyId'],
    ]);
  });

  it('are in no refusal', async () => {
    const wrong = `cg_live_${marks.wrongKeyId}_${'0'.repeat(49)}`;
    for (const path of [...reads, ...refused]) {
      for (const key of [undefined, wrong, keys['auditor'], keys['foreign']]) {
        const answer = await ask(path, key);
        if (answer.status !== 200) {
          output += answer.text;
        } else {
          // The other team's own list, which is empty.
          expect(found(answer.text)).toEqual([]);
        }
      }
    }
    for (const path of refused) {
      const answer = await ask(path, keys['clinician']);
      expect([path, answer.status]).toEqual([path, expect.any(Number)]);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      output += answer.text;
    }
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const body = JSON.stringify({ name: marks.sentInBody, patient: marks.familyName });
      output += (await ask(reads[2]!, keys['clinician'], { method, body })).text;
    }
    expect(found(output)).toEqual([]);
  });

  it('are in no refusal on a bare socket', async () => {
    const { base_url } = service.ready;
    const key = keys['clinician']!;
    const requests = [
      `${marks.sentAsMethod} ${reads[2]!} HTTP/1.1\r\nhost: a\r\n\r\n`,
      `GET ${reads[2]!} HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${key}\r\nx-service-api-key: ${key}\r\nconnection: close\r\n\r\n`,
      `GET ${reads[2]!} HTTP/1.1\nhost: a\n\n`,
      `GET ${reads[2]!} HTTP/1.1\r\nhost: a\r\nx-note: ${marks.sentInHeader.repeat(1200)}\r\n\r\n`,
      `GET /${marks.sentInPath.repeat(1500)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      `GET ${reads[2]!} HTTP/1.1\r\nx-service-api-key: ${key}\r\nconnection: close\r\n\r\n`,
      `${marks.sentInBody}\r\n\r\n`,
    ];
    for (const request of requests) {
      const answer = await exchange(base_url, request);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /u);
      expect(found(answer)).toEqual([]);
    }
  });

  it('are in no answer while the store fails', async () => {
    const file = join(data, 'store.db');
    const db = new DatabaseSync(file, { timeout: 30_000, enableForeignKeyConstraints: false });
    db.exec('drop table lab_results; drop table insurances; drop table mindfulness_minutes');
    db.close();
    for (const path of reads.slice(2)) {
      const answer = await ask(path, keys['clinician']);
      expect([path, answer.status]).toEqual([path, 500]);
      expect(found(answer.text)).toEqual([]);
      expect(answer.text).not.toMatch(/\bat .*\.[jt]s:\d|sqlite|table/iu);
    }
  });

  it('are in no metric and in no line of the log', async () => {
    const metrics = await service.metrics();
    expect(metrics).toContain('caregate_request_duration_seconds');
    expect(found(metrics)).toEqual([]);
    expect(await service.end()).toBe(0);
    const log = service.stdout() + service.stderr();
    expect(found(log)).toEqual([]);
    const lines = log.trim().split('\n');
    const routes = lines.map((line) => (JSON.parse(line) as { route?: unknown }).route);
    expect(routes).toEqual(expect.arrayContaining(['/v3/order/:order_id/result', null]));
    expect(lines.filter((line) => line.includes('"status":500')).length).toBeGreaterThan(0);
  });
});
