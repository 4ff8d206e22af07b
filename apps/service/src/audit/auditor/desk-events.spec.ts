import * as client from '@caregate/api-client/service';
import { HealthDataClient } from '@caregate/api-client';
import type { AuditEventsPage, DisclosureList } from '@caregate/domain';
import { validateAuditEventsPage, validateDisclosureList } from '@caregate/domain/validate';
import { otherTeamId, sampleTeamId } from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import { findClientUserId, openClinic, order, theirOrder } from './auditor.testing.ts';

const clinic = await openClinic();

interface Reported {
  readonly status: number;
  readonly recordId: string;
  readonly errors?: readonly { readonly parameter: string; readonly reason: string }[];
}

async function report(body: object, key = clinic.clinician.key): Promise<Reported> {
  const event = { kind: 'print', document: 'lab_report', ...body };
  const answer = await clinic.post('/audit/desk-events', event, key);
  const { record_id: recordId = '', errors } = (await answer.json()) as {
    record_id?: string;
    errors?: NonNullable<Reported['errors']>;
  };
  const id = answer.headers.get('x-audit-record-id') ?? '';
  expect([201, 403].includes(answer.status) ? id !== '' : true).toBe(true);
  return { status: answer.status, recordId: recordId || id, ...(errors && { errors }) };
}

async function bodyOf(id: string): Promise<Record<string, unknown>> {
  const { events } = (await clinic.get(`/audit/events?record=${id}`)).json() as AuditEventsPage;
  return { ...events[0]!.body, patients: events[0]!.patients };
}

async function disclosures(): Promise<DisclosureList['disclosures']> {
  const list = await clinic.get(`/audit/patients/${order.user_id}/disclosures`);
  return (list.json() as DisclosureList).disclosures;
}

// Runs first, since it expects no other records of this desk.
describe('the client of access and audit', () => {
  it('performs all operations of a desk and its auditor', async () => {
    const baseUrl = `http://127.0.0.1:${clinic.service.port}`;
    const desk = { baseUrl, apiKey: clinic.clinician.key };
    const auditor = client.connectService({ baseUrl, apiKey: clinic.auditor });
    const { headers } = await new HealthDataClient(desk).orders
      .result(order.order_id)
      .withResponse();
    const shown = String(headers['x-audit-record-id']);
    const printed = await client.recordDeskEvent(client.connectService(desk), {
      ...{ kind: 'print', document: 'lab_report', pages: 1 },
      record_ids: [shown],
    });

    const page = await client.listDisclosures(auditor, order.user_id, { limit: 1 });
    expect(validateDisclosureList(page)).toMatchObject({ ok: true });
    expect(page.disclosures[0]).toMatchObject({ how: 'print', document: 'lab_report' });
    const ids: string[] = [];
    for await (const { record_id: id } of client.eachDisclosure(auditor, order.user_id, {
      limit: 1,
    })) {
      ids.push(id);
    }
    expect(ids).toEqual([printed.record_id, shown]);

    const filter = { actorId: clinic.clinician.keyId, decision: 'allowed' } as const;
    expect(validateAuditEventsPage(await client.listAuditEvents(auditor, filter))).toMatchObject({
      ok: true,
    });
    const seen: string[] = [];
    for await (const { record_id: id, actor } of client.eachAuditEvent(auditor, filter)) {
      expect(actor.name).toBe('Dr. Ines Example <desk 2>');
      seen.push(id);
    }
    expect(seen).toEqual(ids);
    const clientUserId = findClientUserId(order.user_id);
    const ofPatient = await client.listAuditEvents(auditor, { clientUserId });
    expect(ofPatient.user_id).toBe(order.user_id);
    expect(ofPatient.events.map(({ record_id: id }) => id)).toContain(shown);
    let file = '';
    for await (const part of client.eachExportPart(auditor, { format: 'csv', limit: 2 })) {
      file += part;
    }
    expect(file).toContain(shown);
    const state = await client.auditLogState(auditor);
    expect(state.verified.consistent).toBe(true);
    expect(await client.auditKey(auditor)).toBe(`${state.verifier_key}\n`);
    expect(await client.listBreakGlass(auditor)).toEqual({ grants: [], next_cursor: null });
    for await (const alarm of client.eachAuditAlarm(auditor)) {
      expect(alarm).toBeUndefined();
    }
    await expect(
      client.recordDeskEvent(client.connectService(desk), {
        ...{ kind: 'copy', document: 'lab_report', record_ids: ['f'.repeat(32)] },
      }),
    ).rejects.toMatchObject({ name: 'InvalidParameterError', status: 422 });
  });
});

describe('what a desk does with an answer', () => {
  it('is one record about the patients of the records that it names, and a disclosure', async () => {
    const id = await clinic.readResult();
    const number = '0'.repeat(20).padEnd(32, 'f');
    const print = { number: number.toUpperCase(), pages: 2, copies: 3 };
    const { status, recordId } = await report({ ...print, record_ids: [id, id.toUpperCase()] });
    expect(status).toBe(201);
    expect(await bodyOf(recordId)).toMatchObject({
      ...{ operation: 'recordDeskEvent', decision: 'allowed', http_status: 201 },
      ...{ patients: [order.user_id], key_id: clinic.clinician.keyId },
      details: { kind: 'print', document: 'lab_report', pages: 2, copies: 3, number, records: id },
    });
    expect((await disclosures())[0]).toMatchObject({
      ...{ record_id: recordId, how: 'print', document: 'lab_report' },
    });
  });

  it('is recorded for each kind, and for the list of disclosures that an auditor prints', async () => {
    const id = await clinic.readResult();
    for (const kind of ['print', 'save', 'export', 'copy']) {
      expect((await report({ kind, document: 'screen', record_ids: [id] })).status).toBe(201);
      expect((await disclosures())[0]).toMatchObject({ document: 'screen', how: kind });
    }
    const { headers } = await clinic.get(`/audit/patients/${order.user_id}/disclosures`);
    const listed = [String(headers['x-audit-record-id'])];
    const printed = await report({ document: 'disclosures', record_ids: listed }, clinic.auditor);
    expect(await bodyOf(printed.recordId)).toMatchObject({ patients: [order.user_id] });
  });

  it('names a secondary insurance if it is the only one printed', async () => {
    const read = async (isPrimary: boolean): Promise<string> => {
      const path = `/v2/user/${order.user_id}/insurance/latest?is_primary=${isPrimary}`;
      const { headers } = await clinic.get(path, clinic.clinician.key);
      return String(headers['x-audit-record-id']);
    };
    const [first, second] = [await read(true), await read(false)];
    for (const [record_ids, is_primary] of [
      [[second], 'false'],
      [[first], undefined],
      [[first, second], undefined],
    ] as const) {
      const { details } = await bodyOf(
        (await report({ document: 'insurance', record_ids })).recordId,
      );
      expect((details as { is_primary?: string }).is_primary).toBe(is_primary);
    }
  });

  it('refuses records of another team, unknown ones and those without patients alike', async () => {
    const theirs = `/v3/order/${theirOrder.order_id}/result`;
    const idOf = async (path: string, key?: string): Promise<string> =>
      String((await clinic.get(path, key)).headers['x-audit-record-id']);
    const foreign = await idOf(theirs, clinic.theirs.clinician);
    const good = await clinic.readResult();
    const wrong = [
      ...[foreign, await idOf(theirs, clinic.clinician.key), await idOf('/audit/events')],
      ...[(await report({ record_ids: [good] })).recordId, 'f'.repeat(32), 'nonsense', ''],
    ];
    const reasonFor = (items: string): object => ({
      parameter: 'record_ids',
      reason: `${items} not of a response that showed data to this team`,
    });
    for (const id of wrong) {
      expect([id, await report({ record_ids: [good, id] })]).toMatchObject([
        ...[id, { status: 422, errors: [reasonFor('item 2 is')] }],
      ]);
    }
    const { errors } = await report({ record_ids: wrong });
    expect(errors).toEqual([reasonFor('item 1, 2, 3, 4, 5, 6, 7 are')]);
    const { clinician } = clinic.theirs;
    expect((await report({ record_ids: [foreign] }, clinician)).status).toBe(201);
  });

  it('is refused to roles without a desktop', async () => {
    const ids = [await clinic.readResult()];
    const { key: program } = await clinic.service.access.keys.create({
      ...{ teamId: sampleTeamId, role: 'integration', label: 'program' },
      scopes: ['lab-results:read'],
    });
    for (const [key, status] of [
      [await clinic.service.key(sampleTeamId, 'admin'), 403],
      [program, 403],
      [await clinic.service.key(otherTeamId), 422],
    ] as const) {
      expect((await report({ record_ids: ids }, key)).status).toBe(status);
    }
  });
});
