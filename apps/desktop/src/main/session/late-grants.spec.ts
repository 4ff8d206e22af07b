import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeskSession } from './desk-session.ts';
import { anewForEach, cancelled, granted, refusal, signInAs } from './held-service.testing.ts';
import type { HeldService } from './held-service.testing.ts';

const request = {
  ...{ userId: '0b1e5d3c-8a55-4d0e-9d6c-0f8f7c1b2a3d', text: 'Unconscious, alone' },
  reasonCode: 'threat_to_health_or_safety' as const,
};

let service: HeldService;
let desk: DeskSession;

anewForEach((made) => {
  ({ service, desk } = made);
});

const signIn = (name: string): Promise<void> => signInAs({ service, desk }, name);

describe('emergency access', () => {
  it('that was cancelled while it was granted is ended, and opens nothing', async () => {
    await signIn('Ann');
    const answer = service.hold('POST /access/break-glass');
    const granted = desk.people.askBreakGlass(request);
    await service.was('POST /access/break-glass');
    desk.people.cancel();
    answer();
    expect(await granted).toMatchObject(cancelled);
    expect(desk.desk.status().emergency).toBeUndefined();
    expect(service.requests).toContain('DELETE /access/break-glass/g-1');
  });

  it('that was granted is not ended by what is cancelled later', async () => {
    await signIn('Ann');
    expect(await desk.people.askBreakGlass(request)).toMatchObject({ ok: true });
    expect(desk.people.cancel()).toMatchObject({ emergency: { breakGlassId: 'g-1' } });
  });

  describe('asked for a second patient', () => {
    const second = { ...request, userId: '7d3c0a52-1f0b-4a57-9f63-2b1c9d8e7f60' };
    const ended = (id: string): string => `DELETE /access/break-glass/${id}`;
    const shown = (): string | undefined => desk.desk.status().emergency?.breakGlassId;

    /** Cancelled while the service grants it, which it says only after that. */
    async function cancelledAt(id: string): ReturnType<typeof desk.people.askBreakGlass> {
      const answer = service.hold('POST /access/break-glass');
      const asked = service.count('POST /access/break-glass');
      const outcome = desk.people.askBreakGlass(second);
      await service.was('POST /access/break-glass', asked + 1);
      desk.people.cancel();
      answer(granted(id));
      return outcome;
    }

    beforeEach(async () => {
      await signIn('Ann');
      expect(await desk.people.askBreakGlass(request)).toMatchObject({ ok: true });
    });

    it('and cancelled leaves that of the first shown, and to be ended', async () => {
      expect(await cancelledAt('g-2')).toMatchObject(cancelled);
      expect(service.requests).toContain(ended('g-2'));
      expect(service.requests).not.toContain(ended('g-1'));
      expect(shown()).toBe('g-1');
      expect(await desk.people.endBreakGlass()).toMatchObject({ ok: true });
      expect(service.requests).toContain(ended('g-1'));
      expect(shown()).toBeUndefined();
    });

    it('and cancelled, but not ended, is shown with the reason, and the first after its end', async () => {
      service.hold(ended('g-2'))(refusal(503, 'unavailable'));
      expect(await cancelledAt('g-2')).toMatchObject({ problem: { kind: 'serverBroken' } });
      expect(shown()).toBe('g-2');
      expect(await desk.people.endBreakGlass()).toMatchObject({ ok: true });
      expect(shown()).toBe('g-1');
      await desk.people.endBreakGlass();
      expect(shown()).toBeUndefined();
      expect(service.count(ended('g-2'))).toBe(2);
    });

    it('and cancelled ends nothing where the service gave what was in force already', async () => {
      expect(await cancelledAt('g-1')).toMatchObject(cancelled);
      expect(service.requests).not.toContain(ended('g-1'));
      expect(shown()).toBe('g-1');
    });

    it('is shown until it is ended, and then that of the first again', async () => {
      service.hold('POST /access/break-glass')(granted('g-2'));
      expect(await desk.people.askBreakGlass(second)).toMatchObject({ ok: true });
      expect(shown()).toBe('g-2');
      await desk.people.endBreakGlass();
      expect(shown()).toBe('g-1');
      expect(service.requests).not.toContain(ended('g-1'));
    });
  });
});
