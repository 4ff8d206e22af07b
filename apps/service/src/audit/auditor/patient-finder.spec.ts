import type { AuditEventsPage } from '@caregate/domain';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientUserIdOf, openClinic, order, theirOrder, type Clinic } from './auditor.testing.ts';
import { enginesOf } from '../../testing/engines.testing.ts';

const mine = clientUserIdOf(order.user_id);
const theirs = clientUserIdOf(theirOrder.user_id);

describe.each(enginesOf('patient-finder'))(
  'an auditor who asks by the client user id, on %s',
  (engine) => {
    let clinic: Clinic;
    beforeAll(async () => {
      clinic = await openClinic(engine);
      await clinic.readResult();
    });
    afterAll(async () => {
      await clinic.close();
    });

    const pageOf = async (query: string): Promise<AuditEventsPage> =>
      (await clinic.get(`/audit/events?${query}`)).json() as AuditEventsPage;
    const asked = `client_user_id=${encodeURIComponent(mine)}`;

    it('finds the events of that user, with their user id', async () => {
      const found = await pageOf(asked);
      const byUserId = await pageOf(`patient=${order.user_id.toUpperCase()}`);
      expect(found.events.length).toBeGreaterThan(0);
      expect(found.events).toEqual(byUserId.events);
      expect([found.user_id, byUserId.user_id]).toEqual([order.user_id, undefined]);
    });

    it('exports the same', async () => {
      const [by, byUserId] = [asked, `patient=${order.user_id}`].map((query) =>
        clinic.get(`/audit/export?format=csv&${query}`),
      );
      expect((await by!).body.split('\r\n').length).toBeGreaterThan(2);
      expect((await by!).body).toBe((await byUserId!).body);
    });

    it('is recorded with the user and an HMAC of the client user id, never the id', async () => {
      await pageOf(asked);
      const { events } = await pageOf('operation=listAuditEvents');
      expect(events[0]?.body).toMatchObject({
        decision: 'allowed',
        details: {
          asked_user_id: order.user_id,
          client_user_id_hmac: expect.stringMatching(/^[\w-]{43}$/u),
        },
      });
      expect(events[0]?.patients).toEqual([]);
      expect(JSON.stringify(events)).not.toContain(mine);
      expect(clinic.service.log.join()).not.toContain(mine);
    });

    it.each([
      ['of nobody', 'MRN-of-nobody'],
      ['that is empty', ''],
    ])('is told 404 for one %s, which is recorded', async (_what, id) => {
      for (const path of ['/audit/events?', '/audit/export?format=fhir&']) {
        const answer = await clinic.get(`${path}client_user_id=${encodeURIComponent(id)}`);
        expect([answer.status, (answer.json() as { type: string }).type]).toEqual([
          404,
          '/problems/not-found',
        ]);
        expect(answer.headers['x-audit-record-id']).toMatch(/^[0-9a-f]{32}$/u);
      }
    });

    it('finds nobody of another team, whose ids are the same as their own', async () => {
      const { events } = await pageOf(`client_user_id=${encodeURIComponent(theirs)}`);
      const patients = new Set(events.flatMap((event) => event.patients));
      expect(patients.has(theirOrder.user_id)).toBe(false);
      const asTheirs = (path: string): ReturnType<Clinic['get']> =>
        clinic.get(path, clinic.theirs.auditor);
      const own = (await asTheirs(`/audit/events?${asked}`)).json() as AuditEventsPage;
      expect([own.user_id === order.user_id, own.events]).toEqual([false, []]);
    });

    it('is told that only one of the two ids can be given, and that once', async () => {
      for (const query of [`${asked}&patient=${order.user_id}`, `${asked}&${asked}`]) {
        const answer = await clinic.get(`/audit/events?${query}`);
        expect(answer.status).toBe(422);
        expect(answer.body).toContain('client_user_id');
      }
    });
  },
);
