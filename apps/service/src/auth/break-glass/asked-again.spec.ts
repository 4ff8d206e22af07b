import { describe, expect, it } from '@jest/globals';
import type { BreakGlassReason } from '@caregate/domain';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService } from '../../testing/service.testing.ts';
import { accessEngines, minuteMs, teamA } from '../access.testing.ts';
import type { AccessStore } from '../access-store.ts';
import type { StaffPrincipal } from '../principal.ts';
import { TestDesk } from '../sessions/desk.testing.ts';
import { principalOfSession } from '../repositories/session.repository.ts';
import { newTokenHash, signedIn, signInBody } from '../sessions/signed-in.testing.ts';
import { ForgingProvider } from '../sign-in/forging-provider.testing.ts';
import { bodiesIn } from '../../audit/record/records.testing.ts';

const patient = 'a0000000-0000-4000-8000-00000000000a';
const another = 'a0000000-0000-4000-8000-00000000000b';
const requested = (userId = patient) => ({
  reasonCode: 'emergency_treatment' as BreakGlassReason,
  text: 'Unconscious at the front desk, lab values needed',
  userId,
});

async function signedInTwice({ desks, staff, sessions }: AccessStore): Promise<StaffPrincipal[]> {
  const issuer = 'https://id.example';
  const subject = 'ines';
  await staff.add({ teamId: teamA, name: 'Ines', role: 'billing', issuer, subject });
  const principals = [];
  for (const name of ['Front desk', 'Ward']) {
    const { code } = await desks.makeCode({ teamId: teamA, name });
    const desk = (await desks.enrol({ code, name: undefined, key: new TestDesk() }))!;
    const identity = { issuer, subject, email: undefined, token: newTokenHash() };
    const { session } = await sessions.begin(desk, identity);
    principals.push(principalOfSession(session));
  }
  return principals;
}

describe.each(accessEngines)('on $name', ({ withAccess }) => {
  describe('emergency access', () => {
    it('is given to its person again while it is in force, without a second record or alarm', async () => {
      await withAccess(async (fixture) => {
        const { store, clock, acts } = fixture;
        const [person] = await signedInTwice(store);
        const other = await fixture.openAnother();
        const alarms: unknown[] = [];
        for (const { database } of [store, other]) {
          database.events.on('break-glass', (alarm) => alarms.push(alarm));
        }
        const { grantId, expires } = await store.breakGlass.ask(person!, requested());
        const recorded = acts.length;
        clock.nowMs += 30 * minuteMs - 1;
        const reworded = { ...requested(patient.toUpperCase()), text: 'The same in other words' };
        for (const again of [requested(), reworded]) {
          expect(await other.breakGlass.ask(person!, again)).toEqual({
            ...{ grantId, expires, isRepeated: true },
          });
        }
        expect([acts.length, alarms.length]).toEqual([recorded, 1]);
        expect(await store.breakGlass.list({ all: true })).toMatchObject([
          { grantId, expires, text: requested().text },
        ]);
      });
    });

    it('is a new one for another patient, in another session, and once the first is over', async () => {
      await withAccess(async ({ store, clock }) => {
        const [person, elsewhere] = await signedInTwice(store);
        const ids = new Set<string>();
        const ask = async (who: StaffPrincipal, userId = patient): Promise<string> => {
          const { grantId, isRepeated } = await store.breakGlass.ask(who, requested(userId));
          expect(isRepeated).toBe(false);
          ids.add(grantId);
          return grantId;
        };
        await ask(person!);
        await ask(person!, another);
        await ask(elsewhere!);
        clock.nowMs += 30 * minuteMs;
        await store.breakGlass.end(person!, await ask(person!));
        const by = { keyId: 'auditor', role: 'auditor' } as const;
        await store.breakGlass.review(await ask(person!), { by, outcome: 'not_justified' });
        await ask(person!);
        expect(ids.size).toBe(6);
      });
    });

    it('is a new one where the first is over by the time that another act lets go of the lock', async () => {
      await withAccess(async (fixture) => {
        const { store, clock } = fixture;
        const [person] = await signedInTwice(store);
        await store.breakGlass.ask(person!, requested());
        let letGo: (() => void) | undefined;
        const holds = new Promise<void>((begun) => {
          fixture.instead = () =>
            new Promise((resolve) => {
              letGo = resolve;
              begun();
            });
        });
        const other = store.keys.create({ teamId: teamA, role: 'billing', label: 'Desk 1' });
        await holds;
        fixture.instead = undefined;
        const again = store.breakGlass.ask(person!, requested());
        clock.nowMs += 30 * minuteMs;
        letGo?.();
        await other;
        const { isRepeated, expires } = await again;
        expect(isRepeated).toBe(false);
        expect(expires.getTime()).toBe(clock.nowMs + 30 * minuteMs);
      });
    });

    it('is one where its person asks twice at once', async () => {
      await withAccess(async ({ store }) => {
        const [person] = await signedInTwice(store);
        const both = await Promise.all([
          store.breakGlass.ask(person!, requested()),
          store.breakGlass.ask(person!, requested()),
        ]);
        expect(new Set(both.map(({ grantId }) => grantId)).size).toBe(1);
        expect(both.map(({ isRepeated }) => isRepeated).sort()).toEqual([false, true]);
      });
    });
  });

  describe('a review', () => {
    it('is answered as done where its reviewer says the same again, without a second record', async () => {
      await withAccess(async ({ store, acts }) => {
        const [person] = await signedInTwice(store);
        const by = { keyId: 'auditor', role: 'auditor' } as const;
        const onCommandLine = { by: { name: 'Grace' }, note: 'talked to the ward' };
        for (const review of [{ by }, { by, note: 'talked to the ward' }, onCommandLine]) {
          const { grantId } = await store.breakGlass.ask(person!, requested());
          const done = { ...review, outcome: 'not_justified' } as const;
          const reviewed = await store.breakGlass.review(grantId, done);
          const recorded = acts.length;
          expect(await store.breakGlass.review(grantId.toUpperCase(), done)).toEqual(reviewed);
          for (const other of [
            { ...done, outcome: 'justified' as const },
            { ...done, note: 'in other words' },
            { ...done, by: { ...by, keyId: 'another' } },
            { ...done, by: { name: 'Alan' } },
          ]) {
            await expect(store.breakGlass.review(grantId, other)).rejects.toMatchObject({
              reason: 'reviewed',
            });
          }
          expect(acts.length).toBe(recorded);
        }
      });
    });
  });
});

describe('a person whose answer was lost', () => {
  it('asks again over HTTP and has the same answer, which is recorded as one of a grant in force', async () => {
    const envelopes = [...sampleEnvelopes({ users: 3 })];
    const { user_id: userId } = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
    const provider = await ForgingProvider.start();
    const { issuer, clientId: oidcClientId } = provider;
    const service = await testService(envelopes, { config: { oidcIssuer: issuer, oidcClientId } });
    try {
      const who = { teamId: sampleTeamId, role: 'billing', issuer } as const;
      const [person, colleague] = [await signedIn(service, who), await signedIn(service, who)];
      const { reasonCode: reason_code, text } = requested();
      const body = { reason_code, text, user_id: userId };
      const ask = async (by = person): Promise<unknown> => {
        const answer = await by.request('POST', '/access/break-glass', {
          body: { ...body, ...(await signInBody(provider, by)) },
        });
        return { status: answer.status, ...(answer.json() as object) };
      };
      const first = await ask();
      expect(first).toMatchObject({ status: 201, user_id: userId });
      expect(await ask()).toEqual(first);
      expect(await ask(colleague)).not.toEqual(first);
      const { break_glass_id: id } = first as { break_glass_id: string };
      const records = bodiesIn(service.folder).filter((one) => one.break_glass_id === id);
      const of = { actor_id: person.staffId, decision: 'allowed' };
      expect(records).toEqual([
        expect.objectContaining({ ...of, operation: 'breakGlass' }),
        expect.objectContaining({
          ...{ ...of, operation: 'askBreakGlass', details: { asked_user_id: userId } },
        }),
        expect.objectContaining({
          ...{ ...of, operation: 'askBreakGlass' },
          details: { asked_user_id: userId, grant: 'in_force' },
        }),
      ]);
    } finally {
      await service.close();
      await provider.stop();
    }
  });
});
