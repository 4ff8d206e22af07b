import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditUnavailableError } from '@caregate/audit-log';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';
import { TestDesk } from './desk.testing.ts';
import { ForgingProvider } from '../sign-in/forging-provider.testing.ts';
import { enrolledDesk, fromDesk, signedIn, signInBody } from './signed-in.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 1 })];
const userId = envelopes.find((envelope) => envelope.kind === 'user')!.user.user_id;
const pin = '290517';

let provider: ForgingProvider;
let service: TestService;
let isFull = false;
beforeEach(async () => {
  isFull = false;
  provider = await ForgingProvider.start();
  service = await testService(envelopes, {
    config: { oidcIssuer: provider.issuer, oidcClientId: provider.clientId },
    audit: (log) => ({
      record: (entry) =>
        isFull
          ? Promise.reject(
              new AuditUnavailableError('ENOSPC: no space left on device', {
                retryAfterSeconds: 5,
                isRefused: false,
              }),
            )
          : log.record(entry),
      close: () => log.close(),
    }),
  });
});
afterEach(async () => {
  isFull = false;
  await service.close();
  await provider.stop();
});

describe('a disk that is full', () => {
  it('answers 503 to sign-in, enrolment, PIN, lock, emergency access and review, and nothing changes', async () => {
    const { access } = service;
    const at = await enrolledDesk(service, sampleTeamId);
    const { issuer } = provider;
    const who = { teamId: sampleTeamId, role: 'billing', issuer } as const;
    const person = await signedIn(service, who, at);
    const current = '/access/sessions/current';
    expect((await person.request('PUT', `${current}/pin`, { body: { pin } })).status).toBe(204);
    const { code } = await access.desks.makeCode({ teamId: sampleTeamId, name: 'Desk 2' });
    const next = new TestDesk();
    const reason = { reason_code: 'emergency_treatment', user_id: userId };
    const text = 'Unconscious at the front desk';
    const body = { ...reason, text };
    const billing = await service.key(sampleTeamId, 'billing');
    const auditor = await service.key(sampleTeamId, 'auditor');
    const grant = (await service.post('/access/break-glass', billing, body)).json();
    const { break_glass_id: id } = grant as { break_glass_id: string };
    const review = (): Promise<Answer> =>
      service.post(`/access/break-glass/${id}/review`, auditor, { outcome: 'justified' });
    const state = async (): Promise<unknown> => [
      await access.staff.list(),
      await access.desks.list(),
      await access.breakGlass.list({ teamId: sampleTeamId, all: true }),
      bodiesIn(service.folder).length,
    ];
    const before = await state();
    isFull = true;
    const answers = [
      await fromDesk(service, at.desk, '/access/sessions', {
        body: { desk_id: at.deskId, ...(await signInBody(provider, person)) },
      }),
      await fromDesk(service, next, '/access/desks', { body: { code } }),
      await person.request('PUT', `${current}/pin`, { body: { pin: '718293' } }),
      await person.request('POST', `${current}/lock`),
      await person.request('POST', `${current}/renew`),
      await service.post('/access/break-glass', await service.key(sampleTeamId), body),
      await review(),
      await person.request('DELETE', current),
    ];
    for (const answer of answers) {
      expect([answer.status, (answer.json() as { type: string }).type]).toEqual([
        503,
        '/problems/unavailable',
      ]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.body).not.toContain('ENOSPC');
    }
    isFull = false;
    expect(await state()).toEqual(before);
    // Neither locked nor ended, with the previous PIN; the code still enrols.
    expect((await person.request('POST', `${current}/lock`)).status).toBe(204);
    const unlocked = await person.request('POST', `${current}/unlock`, { body: { pin } });
    expect(unlocked.status).toBe(200);
    const enrolled = await fromDesk(service, next, '/access/desks', { body: { code } });
    expect(enrolled.status).toBe(201);
    expect((await review()).status).toBe(200);
  });
});
