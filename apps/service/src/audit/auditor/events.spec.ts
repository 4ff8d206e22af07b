import type { AuditEventsPage } from '@caregate/domain';
import { sampleTeamId } from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import type { AuditEvent } from 'fhir/r4.js';
import { randomUUID } from 'node:crypto';
import { auditEntry } from '../records.testing.ts';
import { findProblems } from '../export/balp.testing.ts';
import { findClientUserId, openClinic, order, theirOrder } from './auditor.testing.ts';

type Event = AuditEventsPage['events'][number];

const clinic = await openClinic();
for (let turn = 0; turn < 130; turn += 1) {
  await clinic.readResult();
  await clinic.get('/v2/user?limit=1', clinic.theirs.clinician);
}
await clinic.get('/v2/user?limit=2', clinic.clinician.key);
await clinic.get('/audit/events', clinic.clinician.key);

async function getPage(query: string, key?: string): Promise<AuditEventsPage> {
  const answer = await clinic.get(`/audit/events?${query}`, key);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.json() as AuditEventsPage;
}

async function getAll(query: string, key?: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await getPage(cursor === '' ? query : `${query}&cursor=${cursor}`, key);
    events.push(...page.events);
    cursor = page.next_cursor ?? null;
  }
  return events;
}

const idsOf = (events: readonly Event[]): string[] => events.map(({ record_id: id }) => id);

describe('the events', () => {
  it('are those of the own team, newest first, each once over the pages', async () => {
    const events = await getAll('operation=labOrderResult');
    const times = events.map(({ body }) => Number(body['recorded_at_us']));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set(idsOf(events)).size).toBe(130);
    expect(new Set(events.map(({ body }) => body['team_id']))).toEqual(new Set([sampleTeamId]));
    expect(await getAll('operation=labOrderResult', clinic.theirs.auditor)).toEqual([]);
    expect(await getAll('operation=listUsers', clinic.theirs.auditor)).toHaveLength(130);
  });

  it('are found by patient, actor, decision and time', async () => {
    const seen = `patient=${order.user_id.toUpperCase()}&operation=labOrderResult`;
    expect(await getAll(seen)).toHaveLength(130);
    const [listed] = await getAll('operation=listUsers');
    const byPatient = await getAll(`patient=${listed!.patients[0]!}&operation=listUsers`);
    expect(idsOf(byPatient)).toEqual([listed!.record_id]);
    expect(await getAll(`actor_id=${clinic.clinician.keyId}`)).toHaveLength(132);
    const denied = await getAll('decision=denied');
    expect(denied.map(({ body }) => body['operation'])).toEqual(['listAuditEvents']);
    const now = new Date().toISOString();
    expect(await getAll(`operation=labOrderResult&from=${now}`)).toEqual([]);
    expect(await getAll(`operation=labOrderResult&to=${now}`)).toHaveLength(130);
    expect(await getAll('operation=labOrderResult&to=2020-01-01')).toEqual([]);
  });

  it('do not change on later pages while the log grows', async () => {
    const first = await getPage('');
    await clinic.readResult();
    const second = await getPage(`cursor=${first.next_cursor!}`);
    const ids = idsOf([...first.events, ...second.events]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain((await getPage('')).events[0]!.record_id);
  });

  it('refuse a cursor of another query, another team or another list', async () => {
    const { next_cursor: cursor } = await getPage('');
    const { headers } = await clinic.get('/audit/export?format=csv&limit=1');
    const part = String(headers['x-next-cursor']);
    for (const [path, key] of [
      [`/audit/events?cursor=${cursor!}&decision=allowed`],
      [`/audit/events?cursor=${cursor!}`, clinic.theirs.auditor],
      [`/audit/alarms?cursor=${cursor!}`],
      [`/audit/events?cursor=${cursor!.slice(0, -1)}`],
      ['/audit/events?cursor='],
      [`/audit/export?format=fhir&limit=1&cursor=${part}`],
      [`/audit/export?format=csv&limit=1&cursor=${part}`, clinic.theirs.auditor],
    ] as const) {
      expect([path, (await clinic.get(path, key)).status]).toEqual([path, 422]);
    }
  });
});

describe('an auditor who asks by the client user ID', () => {
  const mine = findClientUserId(order.user_id);
  const ofClientUser = `client_user_id=${encodeURIComponent(mine)}`;

  it('finds the events of that user, in pages and exports, recorded without the ID', async () => {
    const found = await getPage(ofClientUser);
    const byUserId = await getPage(`patient=${order.user_id}`);
    expect(found.events.length).toBeGreaterThan(0);
    expect(found.events).toEqual(byUserId.events);
    expect([found.user_id, byUserId.user_id]).toEqual([order.user_id, undefined]);
    const [read] = (await getPage('operation=listAuditEvents')).events.slice(1);
    expect(read).toMatchObject({
      patients: [],
      body: {
        details: {
          asked_user_id: order.user_id,
          client_user_id_hmac: expect.stringMatching(/^[\w-]{43}$/u),
        },
      },
    });
    const [by, byUser] = [
      await clinic.get(`/audit/export?format=csv&${ofClientUser}`),
      await clinic.get(`/audit/export?format=csv&patient=${order.user_id}`),
    ];
    expect(by.body.length).toBeGreaterThan(1000);
    expect(by.body).toBe(byUser.body);
    expect(JSON.stringify(await getAll('')) + clinic.service.log.join('')).not.toContain(mine);
  });

  it.each(['MRN-of-nobody', ''])('gets a recorded 404 for the unknown ID "%s"', async (id) => {
    for (const path of ['/audit/events?', '/audit/export?format=fhir&']) {
      const answer = await clinic.get(`${path}client_user_id=${id}`);
      expect([answer.status, answer.json()]).toMatchObject([404, { type: '/problems/not-found' }]);
      expect(answer.headers['x-audit-record-id']).toMatch(/^[0-9a-f]{32}$/u);
    }
  });

  it('finds no user of another team, and refuses a repeated ID', async () => {
    const theirs = await getPage(ofClientUser, clinic.theirs.auditor);
    expect([theirs.user_id === order.user_id, theirs.events]).toEqual([false, []]);
    const { events } = await getPage(
      `client_user_id=${encodeURIComponent(findClientUserId(theirOrder.user_id))}`,
    );
    expect(events.flatMap(({ patients }) => patients)).not.toContain(theirOrder.user_id);
    for (const query of [
      `${ofClientUser}&patient=${order.user_id}`,
      `${ofClientUser}&${ofClientUser}`,
    ]) {
      const answer = await clinic.get(`/audit/events?${query}`);
      expect([answer.status, answer.body]).toEqual([
        422,
        expect.stringContaining('client_user_id'),
      ]);
    }
  });
});

describe('an export over HTTP', () => {
  /** Downloads all parts of an export. Each part has at most 2 MiB. */
  async function getFile(query: string): Promise<{ text: string; parts: number }> {
    let [text, parts] = ['', 0];
    for (let cursor: string | undefined = ''; cursor !== undefined; parts += 1) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body, headers } = await clinic.get(`/audit/export?${query}${more}`);
      expect([query, status, body.length < 2 ** 21]).toEqual([query, 200, true]);
      text += body;
      cursor = headers['x-next-cursor']?.toString();
    }
    return { text, parts };
  }

  it('is one CSV file in as many parts as it takes, with names and without positions', async () => {
    const query = `format=csv&actor_id=${clinic.clinician.keyId}&operation=listUsers`;
    await clinic.get('/v2/user?limit=1', clinic.clinician.key);
    const file = await getFile(query);
    const split = await getFile(`${query}&limit=1`);
    expect([file.parts, split.parts > 1, split.text]).toEqual([1, true, file.text]);
    const [header, ...rows] = file.text.trimEnd().split('\r\n');
    const columns = header!.split(',').map((name) => name.replaceAll('"', ''));
    expect(columns).not.toContain('seq');
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      const cells = row.split(',');
      expect(cells[columns.indexOf('actor_name')]).toBe('"Dr. Ines Example <desk 2>"');
      expect(cells[columns.indexOf('record_id')]).toMatch(/^"[0-9a-f]{32}"$/u);
    }
  });

  it('of lists of 500 people has FHIR AuditEvents that conform to BALP, with names', async () => {
    const { keyId } = clinic.clinician;
    for (let list = 0; list < 4; list += 1) {
      const patients = Array.from({ length: 500 }, () => randomUUID());
      const key = { actor_id: keyId, key_id: keyId };
      const of = { team_id: sampleTeamId, ...key, operation: 'listUsers', patients };
      await clinic.service.audit.record(auditEntry(of));
    }
    const { text, parts } = await getFile('format=fhir');
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEvent);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect([events.length > 2000, parts > 1]).toEqual([true, true]);
    for (const event of events) {
      expect(findProblems(event)).toEqual([]);
    }
    const read = events.find(({ subtype }) => subtype?.[1]?.code === 'labOrderResult');
    expect(read?.agent.find(({ requestor }) => requestor)?.name).toBe('Dr. Ines Example <desk 2>');
  });
});
