import type { AuditEventsPage, DisclosureList } from '@caregate/domain';
import { otherTeamId, sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openClinic, order, theirOrder, type Clinic } from './auditor.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';

const url = '/audit/desk-events';

describe.each(enginesOf('desk-events'))('what a desk does with an answer, on %s', (engine) => {
  let clinic: Clinic;
  beforeAll(async () => {
    clinic = await openClinic(engine);
  });
  afterAll(async () => {
    await clinic.close();
  });

  const told = async (body: object, key = clinic.clinician.key): Promise<Response> =>
    clinic.post(url, { kind: 'print', document: 'lab_report', ...body }, key);
  const reasons = async (answer: Response): Promise<unknown> =>
    ((await answer.json()) as { errors?: unknown }).errors;
  async function bodyOf(id: string): Promise<Record<string, unknown>> {
    const { events } = (await clinic.get(`/audit/events?record=${id}`)).json() as AuditEventsPage;
    return { ...events[0]!.body, patients: events[0]!.patients };
  }

  it('is one record, whose id it is told, about the patients of the records that it names', async () => {
    const id = await clinic.readResult();
    const number = '0'.repeat(20).padEnd(32, 'f');
    const print = { number: number.toUpperCase(), pages: 2, copies: 3 };
    const answer = await told({ ...print, record_ids: [id, id.toUpperCase()] });
    expect(answer.status).toBe(201);
    const { record_id: recordId } = (await answer.json()) as { record_id: string };
    expect(recordId).toBe(answer.headers.get('x-audit-record-id'));
    expect(await bodyOf(recordId)).toMatchObject({
      ...{ operation: 'recordDeskEvent', decision: 'allowed', http_status: 201 },
      patients: [order.user_id],
      key_id: clinic.clinician.keyId,
      details: { kind: 'print', document: 'lab_report', pages: 2, copies: 3, number, records: id },
    });
    const { disclosures } = (
      await clinic.get(`/audit/patients/${order.user_id}/disclosures`)
    ).json() as DisclosureList;
    expect(disclosures[0]).toMatchObject({
      ...{ record_id: recordId, how: 'print', document: 'lab_report' },
    });
  });

  it('is recorded for each kind, and for the list of disclosures that an auditor prints', async () => {
    const id = await clinic.readResult();
    for (const kind of ['print', 'save', 'export', 'copy']) {
      expect((await told({ kind, document: 'screen', record_ids: [id] })).status).toBe(201);
    }
    const list = await clinic.get(`/audit/patients/${order.user_id}/disclosures`);
    const [copied] = (list.json() as DisclosureList).disclosures;
    expect(copied).toMatchObject({ document: 'screen', how: 'copy' });
    const listed = [String(list.headers['x-audit-record-id'])];
    const printed = await told({ document: 'disclosures', record_ids: listed }, clinic.auditor);
    const { record_id: recordId } = (await printed.json()) as { record_id: string };
    expect(await bodyOf(recordId)).toMatchObject({ patients: [order.user_id] });
  });

  it('says of an insurance that it is a secondary one, where no other is on the paper', async () => {
    const read = async (primary: boolean): Promise<string> => {
      const path = `/v2/user/${order.user_id}/insurance/latest?is_primary=${primary}`;
      const { headers, status } = await clinic.get(path, clinic.clinician.key);
      expect(status).toBe(200);
      return String(headers['x-audit-record-id']);
    };
    const [first, second] = [await read(true), await read(false)];
    for (const [record_ids, is_primary] of [
      [[second], 'false'],
      [[first], undefined],
      [[first, second], undefined],
    ] as const) {
      const printed = await told({ document: 'insurance', record_ids });
      const { record_id: recordId } = (await printed.json()) as { record_id: string };
      const { details } = await bodyOf(recordId);
      expect((details as { is_primary?: string }).is_primary).toBe(is_primary);
    }
  });

  it('takes no patient from the body', async () => {
    const body = { record_ids: [await clinic.readResult()], patients: [theirOrder.user_id] };
    expect(await reasons(await told(body))).toEqual([
      {
        parameter: '(unknown)',
        reason: expect.stringContaining('is not a known field') as unknown,
      },
    ]);
  });

  it('refuses ids of another team, of what is not there, of what showed nobody: all alike, and names their places', async () => {
    const foreign = await clinic.get(
      `/v3/order/${theirOrder.order_id}/result`,
      clinic.theirs.clinician,
    );
    const denied = await clinic.get(
      `/v3/order/${theirOrder.order_id}/result`,
      clinic.clinician.key,
    );
    expect(denied.status).toBe(404);
    const events = await clinic.get('/audit/events');
    const good = await clinic.readResult();
    const desk = await told({ record_ids: [good] });
    const idOf = ({ headers }: { headers: Record<string, unknown> }): string =>
      String(headers['x-audit-record-id']);
    const wrong = [
      ...[idOf(foreign), idOf(denied), idOf(events)],
      ...[String(desk.headers.get('x-audit-record-id')), 'f'.repeat(32), 'nonsense', ''],
    ];
    for (const id of wrong) {
      const answer = await told({ record_ids: [good, id] });
      expect([id, answer.status, await reasons(answer)]).toEqual([
        id,
        422,
        [
          {
            parameter: 'record_ids',
            reason: 'item 2 is not of an answer that showed data to this team',
          },
        ],
      ]);
    }
    expect(await reasons(await told({ record_ids: wrong }))).toEqual([
      expect.objectContaining({
        reason: 'item 1, 2, 3, 4, 5, 6, 7 are not of an answer that showed data to this team',
      }),
    ]);
    // The other team may name its own.
    const own = await told({ record_ids: [idOf(foreign)] }, clinic.theirs.clinician);
    expect(own.status).toBe(201);
  });

  it.each([
    [{ record_ids: Array.from({ length: 201 }, () => 'x') }, 'must have 200 or fewer'],
    [{ record_ids: ['x'], document: 'x-ray' }, 'must be one of'],
    [{}, 'is required'],
  ])('says what is wrong with %j', async (body, reason) => {
    const answer = await told(body);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(await reasons(answer))).toContain(reason);
  });

  it('is refused to roles without a desktop', async () => {
    const ids = [await clinic.readResult()];
    const admin = await clinic.service.key(sampleTeamId, 'admin');
    const program = await clinic.service.access.keys.create({
      ...{ teamId: sampleTeamId, role: 'integration', label: 'program' },
      scopes: ['lab-results:read'],
    });
    for (const key of [admin, program.key]) {
      expect((await told({ record_ids: ids }, key)).status).toBe(403);
    }
    expect((await told({ record_ids: ids }, await clinic.service.key(otherTeamId))).status).toBe(
      422,
    );
  });
});
