import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { caregate, exchange, newFolder, start } from './caregate.testing.ts';
import type { Running } from './caregate.testing.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';

const teamId = '0c0ffee0-5afe-4a11-8b1d-000000000001';
const otherTeamId = '0c0ffee0-5afe-4a11-8b1d-000000000002';

/** Values that must not leak. The search also finds them percent-encoded and in other letter case. */
const marks = {
  userId: 'ca9a41e5-0000-4000-8000-00000000b14d',
  orderId: 'ca9a41e5-0000-4000-8000-00000000fee7',
  clientUserId: 'CANARY-CLIENT/7',
  givenName: 'Serinette',
  familyName: 'Goldfeather',
  memberId: 'CANARYMEMBER88',
  email: 'serinette@canary.example',
  phone: '+12025550177',
  birthDate: '1971-02-03',
  biomarker: 'Canarinase',
  resultText: 'CANARY-RESULT-TEXT',
  // Values that a client sends and that belong to no record.
  sentInPath: 'canary-in-path',
  sentInQuery: 'canary-in-query',
  sentInHeader: 'canary-in-header',
  sentInBody: 'canary-in-body',
  sentAsMethod: 'CANARYMETHOD',
  wrongKeyId: 'CANARYKEY000',
};

const created = '2026-01-15T09:30:00+00:00';
const envelopes = [
  {
    kind: 'user',
    user: {
      user_id: marks.userId,
      team_id: teamId,
      client_user_id: marks.clientUserId,
      created_on: created,
      connected_sources: [],
      fallback_time_zone: { id: 'Europe/Berlin', source_slug: 'manual', updated_at: created },
      fallback_birth_date: {
        value: marks.birthDate,
        source_slug: 'manual',
        updated_at: created,
      },
    },
  },
  {
    kind: 'lab_result',
    team_id: teamId,
    user_id: marks.userId,
    order_id: marks.orderId,
    result: {
      metadata: { patient: `${marks.givenName} ${marks.familyName}` },
      results: [{ name: marks.biomarker, slug: 'canarinase', result: marks.resultText }],
    },
  },
  {
    kind: 'insurance',
    team_id: teamId,
    user_id: marks.userId,
    recorded_at: created,
    insurance: {
      payor_code: 'NWMUT',
      member_id: marks.memberId,
      relationship: 'Self',
      insured: {
        first_name: marks.givenName,
        last_name: marks.familyName,
        email: marks.email,
        phone_number: marks.phone,
        dob: marks.birthDate,
      },
    },
  },
  {
    kind: 'mindfulness_minutes',
    team_id: teamId,
    user_id: marks.userId,
    source: { provider: 'oura', type: 'ring' },
    data: [{ start: created, end: '2026-01-15T09:42:00+00:00', unit: 'min', value: 12 }],
  },
];

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
  writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  const imported = caregate(['import', file, '--data', data]);
  expect([imported.status, imported.stderr]).toEqual([0, '']);
  expect(found(imported.stdout)).toEqual([]);
  for (const [label, team, role] of [
    ['clinician', teamId, 'clinician'],
    ['auditor', teamId, 'auditor'],
    ['desk', teamId, 'front_desk'],
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
    const insurance = await ask(reads[2]!, keys['clinician']);
    expect(found(insurance.text)).toEqual(expect.arrayContaining(['memberId', 'familyName']));
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
    const db = new DatabaseSync(join(data, 'store.db'), { timeout: 30_000 });
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
