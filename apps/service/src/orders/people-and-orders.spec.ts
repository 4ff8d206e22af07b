import { describe, expect, it } from '@jest/globals';
import type {
  FoundPeople,
  ImportEnvelope,
  LabResultEnvelope,
  Order,
  OrderHistory,
  OrderList,
} from '@caregate/domain';
import { NO_RESULT, NO_USER_INFO } from '@caregate/domain';
import {
  validateFoundPeople,
  validateOrderHistory,
  validateOrderList,
  validateProblemDetails,
} from '@caregate/domain/validate';
import {
  otherTeamId,
  personas,
  listPersonas,
  sampleEnvelopes,
  sampleTeamId,
} from '@caregate/sample-data';
import { testService, startSpecService } from '../testing/service.testing.ts';

const { amara, milo, teodoro, sunniva } = personas;
const kinds = ['user', 'user_info', 'order', 'lab_result', 'insurance'] as const;
const sample = [
  ...sampleEnvelopes({ users: 60, kinds }),
  ...sampleEnvelopes({ users: 12, teamId: otherTeamId, kinds }),
];
const results = new Map(
  sample.flatMap((each): [string, LabResultEnvelope][] =>
    each.kind === 'lab_result' ? [[each.order_id, each]] : [],
  ),
);
const orders = sample.flatMap((each) =>
  each.kind === 'order' && each.order.team_id === sampleTeamId ? [each.order] : [],
);
/**
 * `alone` only has a result, which is corrected later. `foreignName` is another order of the user under another name.
 */
const alone = '11111111-1111-4111-8111-111111111111';
const foreignName = '22222222-2222-4222-8222-222222222222';
const earlier = results.get(amara.orderIds[0]!)!;
const late: LabResultEnvelope = {
  ...{ kind: 'lab_result', team_id: sampleTeamId, user_id: amara.userId, order_id: alone },
  result: {
    ...earlier.result,
    metadata: { ...earlier.result.metadata, date_collected: '2026-11-19', status: 'partial' },
    order_transaction: null,
  },
};
const corrected: LabResultEnvelope = {
  ...late,
  result: { ...late.result, metadata: { ...late.result.metadata, status: 'final' } },
};
const misfiled: LabResultEnvelope = {
  ...late,
  order_id: foreignName,
  result: {
    ...late.result,
    metadata: { ...late.result.metadata, patient: 'Somebody Else', date_collected: '2026-01-05' },
  },
};
const envelopes: readonly ImportEnvelope[] = [...sample, late, misfiled, corrected];

const service = await startSpecService(envelopes);
const key = await service.key(sampleTeamId, 'front_desk');

describe('people and orders at a desk', () => {
  const list = async (query: string, by = key): Promise<OrderList> => {
    const answer = await service.get(`/v3/orders${query}`, by);
    expect([query, answer.status]).toEqual([query, 200]);
    expect(validateOrderList(answer.json()).ok).toBe(true);
    return answer.json() as OrderList;
  };
  const find = async (text: string, by = key, limit?: number): Promise<FoundPeople> => {
    const answer = await service.post('/desk/people/search', by, { text, limit });
    expect([text, answer.status]).toEqual([text, 200]);
    expect(validateFoundPeople(answer.json()).ok).toBe(true);
    return answer.json() as FoundPeople;
  };
  const bodies = async (query: string): Promise<Record<string, unknown>[]> => {
    const auditor = await service.key(sampleTeamId, 'auditor');
    const { events } = (await service.get(`/audit/events?${query}`, auditor)).json() as {
      events: { body: Record<string, unknown>; patients: string[] }[];
    };
    return events.map(({ body, patients }) => ({ ...body, patients }));
  };

  describe('the info of a user', () => {
    it('is the newest, as imported', async () => {
      const answer = await service.get(`/v2/user/${amara.userId}/info/latest`, key);
      const info = sample.find(
        (each) => each.kind === 'user_info' && each.user_id === amara.userId,
      );
      expect(answer.json()).toEqual((info as { info?: object }).info);
    });

    it('is not there for whom nothing is known, nobody, and people of another team', async () => {
      const of = async (id: string) =>
        (await service.get(`/v2/user/${id}/info/latest`, key)).json();
      expect(await of(milo.userId)).toMatchObject({ status: 404, type: NO_USER_INFO });
      const foreign = listPersonas({ teamId: otherTeamId }).amara.userId;
      for (const id of [foreign, '00000000-0000-4000-8000-000000000000']) {
        expect(await of(id)).toMatchObject({ status: 404, type: '/problems/not-found' });
      }
      expect(await of('x')).toMatchObject({ status: 422 });
    });
  });

  describe('the list of orders', () => {
    it('has every order of the team once, newest first, over its pages', async () => {
      const seen: Order[] = [];
      for (let page = 1; seen.length < orders.length + 2; page += 1) {
        const found = await list(`?page=${page}&size=40`);
        expect(found).toMatchObject({ total: orders.length + 2, page, size: 40 });
        seen.push(...found.orders);
      }
      expect(seen.map(({ id }) => id).toSorted()).toEqual(
        [...orders.map(({ id }) => id), alone, foreignName].toSorted(),
      );
      const created = seen.flatMap(({ created_at: at }) => (at == null ? [] : Date.parse(at)));
      expect(created).toEqual(created.toSorted((one, other) => other - one));
      expect((await list('?page=1000')).orders).toEqual([]);
    });

    it('has whole orders as imported, with what their results add', async () => {
      const { orders: found } = await list(`?user_id=${teodoro.userId}`);
      for (const order of found) {
        const imported = orders.find(({ id }) => id === order.id);
        expect(order).toMatchObject({ ...imported });
        const missing = results.get(order.id)?.result.missing_results;
        expect(order.has_missing_results).toEqual(
          results.has(order.id) ? (missing ?? []).length > 0 : undefined,
        );
      }
      expect(found.filter(({ id }) => !results.has(id))).toHaveLength(1);
    });

    it('says of an order that is known from its result alone what that says, and no more', async () => {
      const { orders: found } = await list(`?order_ids=${alone}`);
      expect(found).toEqual([
        {
          ...{ id: alone, team_id: sampleTeamId, user_id: amara.userId, status: 'completed' },
          ...{ last_event: { status: 'completed' } },
          collected_on: late.result.metadata.date_collected,
          ...{ patient_name: late.result.metadata.patient, patient_details: { dob: '1985-03-07' } },
          interpretation: late.result.metadata.interpretation,
          has_missing_results: (late.result.missing_results ?? []).length > 0,
        },
      ]);
    });

    it.each([
      [`?user_id=${amara.userId}`, (order: Order) => order.user_id === amara.userId],
      ['?patient_name=vasquez%20teo', (order: Order) => order.user_id === teodoro.userId],
      ['?search_input=quez', (order: Order) => order.user_id === teodoro.userId],
      [`?search_input=${teodoro.userId}`, (order: Order) => order.user_id === teodoro.userId],
      [`?search_input=${amara.orderIds[0]}`, (order: Order) => order.id === amara.orderIds[0]],
      [
        '?status=lost&status=corrected',
        (order: Order) => /lost|corrected/u.test(order.last_event?.status ?? ''),
      ],
      ['?interpretation=critical', (order: Order) => order.interpretation === 'critical'],
      [
        '?start_date=2026-01-01&end_date=2026-06-30',
        ({ created_at: at }: Order) => at != null && at >= '2026-01-01' && at < '2026-07-01',
      ],
      [
        '?updated_start_date=2026-11-01',
        (order: Order) => (order.updated_at ?? '') >= '2026-11-01',
      ],
    ])('filters: %s', async (query, of) => {
      const ids = (some: readonly Order[]): string[] => some.map(({ id }) => id).toSorted();
      const found = (await list(`${query}&size=100`)).orders.filter(
        ({ id }) => id !== alone && id !== foreignName,
      );
      expect(found.length).toBeGreaterThan(0);
      const all = orders.map((order) => {
        const of = results.get(order.id)?.result.metadata.interpretation;
        return { ...order, interpretation: of ?? order.interpretation ?? null };
      });
      expect(ids(found)).toEqual(ids(all.filter(of)));
    });

    it('shows nothing of another team', async () => {
      const theirs = listPersonas({ teamId: otherTeamId }).amara;
      const queries = [`user_id=${theirs.userId}`, `order_ids=${theirs.orderIds[0]}`];
      for (const query of [...queries, `search_input=${theirs.userId}`]) {
        expect(await list(`?${query}`)).toMatchObject({ orders: [], total: 0 });
      }
      const { orders: named } = await list('?patient_name=amara&size=100');
      expect(new Set(named.map(({ team_id: team }) => team))).toEqual(new Set([sampleTeamId]));
    });
  });

  describe('the result of an order', () => {
    const of = async (id: string) => await service.get(`/v3/order/${id}/result`, key);

    it('that has none yet is a problem of its own, with where the order is, and stands in the record', async () => {
      const open = orders.filter(({ id }) => !results.has(id));
      expect(open.length).toBeGreaterThan(1);
      for (const { id, user_id: user, last_event: last, status } of open) {
        const problem = (await of(id.toUpperCase())).json();
        expect(validateProblemDetails(problem).ok).toBe(true);
        const orderStatus = last?.status ?? status;
        expect(problem).toMatchObject({ status: 404, type: NO_RESULT, order_status: orderStatus });
        const [record] = await bodies('operation=labOrderResult');
        expect(record).toMatchObject({ decision: 'not_found', order_id: id, patients: [user] });
      }
    });
  });

  describe('the history of a result', () => {
    const history = async (id: string): Promise<OrderHistory> => {
      const answer = await service.get(`/desk/orders/${id}/history`, key);
      expect(answer.status).toBe(200);
      expect(validateOrderHistory(answer.json()).ok).toBe(true);
      return answer.json() as OrderHistory;
    };

    it('has earlier values of the same biomarker and unit, newest first, and no others', async () => {
      const found = await history(alone);
      for (const { slug, unit, earlier: values } of found.biomarkers) {
        const dates = values.map(({ date }) => date);
        expect(dates).toEqual(dates.toSorted().toReversed());
        for (const { measured, order_id: id } of values) {
          expect([measured.unit ?? null, measured.slug]).toEqual([unit, slug]);
          expect(results.get(id)?.user_id).toBe(amara.userId);
        }
      }
      const slugs = found.biomarkers.map(({ slug }) => slug);
      expect(slugs).toContain('ldl-cholesterol');
      expect(found.left_out).toBe(1);
      expect(JSON.stringify(found)).not.toContain(foreignName);
    });

    it('has the version that a correction replaced', async () => {
      expect((await history(alone)).replaced?.result).toEqual(late.result);
      expect((await history(sunniva.orderIds[0]!)).replaced).toBeNull();
    });

    it('leaves one record, which names every order that was read', async () => {
      const found = await history(alone);
      const read = found.biomarkers.flatMap((each) => each.earlier.map((one) => one.order_id));
      const [record] = await bodies('operation=orderHistory');
      expect(record).toMatchObject({ order_id: alone, patients: [amara.userId] });
      const { order_ids: named } = record?.['details'] as { order_ids: string };
      expect(new Set(named.split(' '))).toEqual(new Set([alone, ...read]));
    });

    it('is not there for an order without a result, or of another team', async () => {
      const theirs = listPersonas({ teamId: otherTeamId }).amara.orderIds[0]!;
      const open = orders.find(({ id }) => !results.has(id))!.id;
      for (const id of [theirs, open, '00000000-0000-4000-8000-000000000000']) {
        expect((await service.get(`/desk/orders/${id}/history`, key)).status).toBe(404);
      }
    });
  });

  describe('the search for people', () => {
    it('shows billing nothing that only lab reports say', async () => {
      const billing = await service.key(sampleTeamId, 'billing');
      expect((await find('somebody else')).people).toHaveLength(1);
      expect((await find('somebody else', billing)).people).toHaveLength(0);
      expect((await find(alone, billing)).people).toHaveLength(0);
      expect(JSON.stringify((await find('amara', billing)).people)).not.toContain('lab_report');
    });

    it('records the text as an HMAC only, and the people as listed', async () => {
      const before = service.log.length;
      const { people } = await find('Ámara  OKON');
      const [first] = await bodies('operation=searchPeople');
      await find('amara okon');
      const [second] = await bodies('operation=searchPeople');
      const details = first?.['details'] as Record<string, string>;
      expect(details).toEqual({
        search_hmac: expect.stringMatching(/^[\w-]{43}$/u),
        shown: 'listed',
      });
      expect(second?.['details']).toEqual(details);
      expect(first?.['patients']).toEqual(people.map(({ user_id: user }) => user));
      expect(JSON.stringify(first)).not.toMatch(/okon/iu);
      expect(service.log.slice(before).join('')).not.toMatch(/okon/iu);
      const saw = await bodies(`patient=${amara.userId}`);
      const shown = new Set(saw.map((each) => (each['details'] as { shown?: string }).shown));
      expect(shown).toEqual(new Set(['listed', undefined]));
    });

    it('records a refused text as an HMAC too, and searched names of orders', async () => {
      await service.post('/desk/people/search', key, { text: 'ab' });
      const [refused] = await bodies('operation=searchPeople&decision=invalid');
      expect(Object.keys(refused?.['details'] as object)).toEqual(['search_hmac']);
      await list('?patient_name=okonkwo&search_input=lindqvist');
      const [record] = await bodies('operation=listOrders');
      expect(record?.['details']).toMatchObject({ shown: 'listed' });
      expect(JSON.stringify(record)).not.toMatch(/okonkwo|lindqvist/iu);
    });
  });

  describe('where a deployment keeps lab results from the front desk', () => {
    it('it keeps their history, their interpretation, and what they say of people', async () => {
      const config = { narrow: 'front_desk.labOrderResult=no' };
      const narrowed = await testService(envelopes, { config });
      const desk = await narrowed.key(sampleTeamId, 'front_desk');
      const of = async (path: string) => await narrowed.get(path, desk);
      expect((await of(`/desk/orders/${alone}/history`)).status).toBe(403);
      expect((await of('/v3/orders?interpretation=normal')).status).toBe(403);
      const { body, status } = await of('/v3/orders?size=100');
      expect([status, /interpretation|has_missing/u.test(body)]).toEqual([200, false]);
      const found = await narrowed.post('/desk/people/search', desk, { text: 'somebody else' });
      expect(found.json()).toMatchObject({ people: [] });
      await narrowed.close();
    });
  });
});
