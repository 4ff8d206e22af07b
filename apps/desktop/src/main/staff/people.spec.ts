import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { DeskKey } from './desk-key.ts';
import { People } from './people.ts';
import { PersonSession } from './person-session.ts';

const key = DeskKey.make();
const names = ['Ada', 'Ben', 'Cyd'] as const;

/** A session of its own, and what was asked of the service for it. */
function session(name: string, endsMs: number): { person: PersonSession; asked: string[] } {
  const asked: string[] = [];
  const staff = { staff_id: name, name, role: 'clinician' };
  const at = new Date(endsMs).toISOString();
  const person = new PersonSession({
    address: 'https://caregate.example',
    fetch: (url, init) => {
      asked.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`);
      return Promise.resolve(new Response(null, { status: 204 }));
    },
    key: () => key,
    token: 'cg_sess_test',
    session: {
      expires_at: at,
      ends_at: at,
      pin_set: true,
      staff,
      desk: { desk_id: 'd-1', name: 'Desk 1' },
    },
  });
  return { person, asked };
}

type Step =
  | { do: 'seat'; name: string; endsMs: number }
  | { do: 'again' | 'signOut' | 'choose'; name: string }
  | { do: 'lock' | 'signOutAll' };
const name = fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('seat'), name, endsMs: fc.nat(1000) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('again', 'signOut', 'choose'), name }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('lock', 'signOutAll') }) },
);

describe('the people of a desk', () => {
  it('are each there once, one of them at it at most, and end there and here together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(1000), async (steps, now) => {
        const people = new People();
        const made: ReturnType<typeof session>[] = [];
        /** In the order they came. */
        let here: (typeof made)[number][] = [];
        let current: PersonSession | undefined;
        const of = (whose: string): (typeof made)[number] | undefined =>
          here.find(({ person }) => person.staffId === whose);
        const leave = (whose: string): void => {
          if (current?.staffId === whose) current = undefined;
          here = here.filter(({ person }) => person.staffId !== whose);
        };
        for (const one of steps) {
          switch (one.do) {
            case 'seat': {
              people.lock();
              const next = session(one.name, one.endsMs);
              made.push(next);
              people.seat(next.person);
              const at = here.findIndex(({ person }) => person.staffId === one.name);
              if (at === -1) here.push(next);
              else here[at] = next;
              current = next.person;
              expect(people.chosen).toBeUndefined();
              break;
            }
            case 'again': {
              const known = of(one.name)?.person;
              if (known === undefined) break;
              people.lock();
              people.seat(known);
              current = known;
              break;
            }
            case 'choose':
              people.chosen = of(one.name)?.person.staffId;
              break;
            case 'signOut':
              people.signOut(one.name);
              leave(one.name);
              expect(people.chosen).not.toBe(one.name);
              break;
            case 'lock':
              people.lock();
              expect(people.chosen).toBe(current?.staffId);
              current = undefined;
              break;
            case 'signOutAll':
              people.signOutAll();
              for (const { person } of here) leave(person.staffId);
              break;
          }
          expect(people.current).toBe(current);
          expect(people.cards().map(({ staffId }) => staffId)).toEqual(
            here.map(({ person }) => person.staffId),
          );
          expect(people.isEmpty).toBe(here.length === 0);
          expect(people.emergency(now)).toBeUndefined();
          expect(people.overdue(now)).toEqual(
            here.filter(({ person }) => person.endsAt <= now).map(({ person }) => person.staffId),
          );
        }
        // What is told to the service is sent in the next turn.
        await new Promise((resolve) => setImmediate(resolve));
        for (const one of made) {
          const ended = one.asked.filter((request) => request.startsWith('DELETE')).length;
          expect(ended).toBe(here.includes(one) ? 0 : 1);
        }
      }),
    );
  });
});
