import { sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditEvent } from 'fhir/r4.js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { problemsOf } from '../export/balp.testing.ts';
import { openClinic, theirOrder, type Clinic } from './auditor.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';
import { until } from '../../testing/until.testing.ts';

/** Records of lists of 500 people, or of what a desk did with one. */
async function recordLists(
  { service, clinician }: Clinic,
  count: number,
  details?: Readonly<Record<string, string>>,
): Promise<void> {
  for (let list = 0; list < count; list += 1) {
    const patients = Array.from({ length: 500 }, () => randomUUID());
    await service.audit.record({
      ...{ teamId: sampleTeamId, actorType: 'key', actorId: clinician.keyId, role: 'clinician' },
      ...{ keyId: clinician.keyId, sessionId: null, dataCategory: 'user', decision: 'allowed' },
      ...{ operation: details === undefined ? 'listUsers' : 'recordDeskEvent', httpStatus: 200 },
      ...{ reasonCode: null, purposeOfUse: null, breakGlassId: null, orderId: null },
      ...{ recordCount: 500, requestId: randomUUID(), clientIp: '127.0.0.1', deviceId: null },
      ...{ policyVersion: null, patients, details: details ?? { limit: 500 } },
    });
  }
}

describe.each(enginesOf('audit-export'))('an export over HTTP, on %s', (engine) => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic(engine);
    for (let turn = 0; turn < 5; turn += 1) {
      await clinic.readResult();
    }
    await clinic.get('/v2/user?limit=4', clinic.clinician.key);
    await clinic.get(`/v3/order/${theirOrder.order_id}/result`, clinic.theirs.clinician);
  });
  afterAll(async () => {
    await clinic.close();
  });

  /** All parts put together. */
  async function file(query: string): Promise<{ text: string; parts: number }> {
    let [text, parts] = ['', 0];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const more = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body, headers } = await clinic.get(`/audit/export?${query}${more}`);
      expect([query, status]).toEqual([query, 200]);
      text += body;
      parts += 1;
      cursor = headers['x-next-cursor']?.toString();
    }
    return { text, parts };
  }

  it('is one CSV file in as many parts as it takes, with names and without positions', async () => {
    const whole = await file('format=csv&decision=allowed&operation=labOrderResult');
    const parts = await file('format=csv&decision=allowed&operation=labOrderResult&limit=2');
    expect(parts.text).toBe(whole.text);
    expect([whole.parts, parts.parts > 2]).toEqual([1, true]);
    const [header, ...rows] = whole.text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(5);
    const columns = header!.split(',').map((name) => name.replaceAll('"', ''));
    expect(columns).not.toContain('seq');
    for (const row of rows) {
      const cells = row.split(',');
      expect(cells[columns.indexOf('actor_name')]).toBe('"Dr. Ines Example <desk 2>"');
      expect(cells[columns.indexOf('record_id')]).toMatch(/^"[0-9a-f]{32}"$/u);
    }
  });

  it('of lists of 500 people is the same file in parts of about a megabyte', async () => {
    await recordLists(clinic, 4);
    const sizes: number[] = [];
    const lines = new Set<string>();
    let cursor = '';
    do {
      const query = `format=fhir&operation=listUsers${cursor}`;
      const { body, headers } = await clinic.get(`/audit/export?${query}`);
      sizes.push(body.length);
      body
        .trimEnd()
        .split('\n')
        .forEach((line) => lines.add((JSON.parse(line) as AuditEvent).id!));
      const next = headers['x-next-cursor']?.toString();
      cursor = next === undefined ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    // Beside these the list of four that was read before.
    expect(lines.size).toBe(4 * 500 + 4);
    expect(Math.max(...sizes)).toBeLessThan(2 * 2 ** 20);
  });

  it('that is read slowly, and then cancelled in the middle, ends there; others are answered', async () => {
    const { service } = clinic;
    // As much as no buffer of a socket holds.
    await recordLists(clinic, 1, { records: 'f'.repeat(33 * 500) });
    const headers = { 'x-service-api-key': clinic.auditor };
    const path = '/audit/export?format=fhir&operation=recordDeskEvent';
    const asked = request({ port: service.port, host: '127.0.0.1', path, headers });
    const [incoming] = (await once(asked.end(), 'response')) as [IncomingMessage];
    await once(incoming, 'data');
    incoming.pause();
    expect((await clinic.get('/audit/log')).status).toBe(200);
    incoming.destroy();
    const server = service.app.getHttpServer();
    const open = promisify(server.getConnections.bind(server));
    await until(async () => (await open()) === 0);
    expect((await clinic.get('/audit/log')).status).toBe(200);
  });

  it('is FHIR AuditEvents that conform to BALP, with names and without positions', async () => {
    const { text } = await file('format=fhir');
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEvent);
    expect(events.length).toBeGreaterThan(5);
    for (const event of events) {
      expect(problemsOf(event)).toEqual([]);
      expect(event.id).toMatch(/^[0-9a-f]{32}-\d+$/u);
    }
    const read = events.find(({ subtype }) => subtype?.[1]?.code === 'labOrderResult');
    expect(read?.agent.find(({ requestor }) => requestor)?.name).toBe('Dr. Ines Example <desk 2>');
  });

  it('is of one person where it is asked for, and recorded with its filter', async () => {
    const { keyId } = clinic.clinician;
    const answer = await clinic.get(`/audit/export?format=csv&actor_id=${keyId}`);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="audit-events.csv"');
    const rows = answer.body.trimEnd().split('\r\n').slice(1);
    expect(rows.every((row) => row.includes(keyId))).toBe(true);
    const id = String(answer.headers['x-audit-record-id']);
    const { events } = (await clinic.get(`/audit/events?record=${id}`)).json() as {
      events: { body: unknown }[];
    };
    expect(events[0]?.body).toMatchObject({
      operation: 'exportAuditEvents',
      details: { format: 'csv', actor_id: keyId },
    });
  });

  it('refuses another form, and a cursor of another query', async () => {
    expect((await clinic.get('/audit/export?format=ndjson')).status).toBe(422);
    const { headers } = await clinic.get('/audit/export?format=csv&limit=1');
    const cursor = String(headers['x-next-cursor']);
    const other = await clinic.get(`/audit/export?format=fhir&limit=1&cursor=${cursor}`);
    expect([other.status, other.body]).toEqual([422, expect.stringContaining('"cursor"')]);
    const foreign = `/audit/export?format=csv&limit=1&cursor=${cursor}`;
    expect((await clinic.get(foreign, clinic.theirs.auditor)).status).toBe(422);
    expect((await clinic.get('/audit/export', await clinic.service.key(sampleTeamId))).status).toBe(
      403,
    );
  });
});
