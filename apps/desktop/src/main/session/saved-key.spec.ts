import { describe, expect, it } from '@jest/globals';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from '@caregate/seeded';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import type { Reason } from '../../bridge/app-state.ts';
import { DeskSession } from './desk-session.ts';
import { KeyStore } from './key-store.ts';
import { sealedByXor } from '../files/sealed-by-xor.testing.ts';
import { noStaff } from '../staff/staff-sign-in.testing.ts';

const address = 'https://caregate.example';
const ann = 'cg_live_ann_secret';
const ben = 'cg_live_ben_secret';

let folder: string;
folderForEach((made) => (folder = made));

type Answer = () => Response | Promise<Response>;
const people = { users: [], total: 0, offset: 0, limit: 1 };
const taken: Answer = () => Response.json(people);

/** A start of the program on the folder as it is now. */
function start(answer: Answer = taken): DeskSession {
  return new DeskSession({
    fetch: () => Promise.resolve(answer()),
    staff: noStaff(folder),
    keyStore: new KeyStore(sealedByXor(), folder),
    demo: undefined,
    address,
    onStatus: () => undefined,
    onConnection: () => undefined,
  });
}

const signIn = (
  desk: DeskSession,
  key = ann,
  saveKey = true,
): ReturnType<DeskSession['keys']['signIn']> => desk.keys.signIn({ address, key, saveKey });

/** Whether the saved key opens; refused must mean that nothing changed. */
async function opens(desk: DeskSession): Promise<boolean> {
  const { phase } = desk.desk.status();
  const outcome = await desk.keys.signInWithSavedKey();
  expect(desk.desk.status().phase).toBe(outcome.ok ? 'signedIn' : phase);
  return outcome.ok;
}

describe('a saved key', () => {
  it('opens after a sign-out that was asked for, again and again', async () => {
    const desk = start();
    await signIn(desk);
    for (let times = 0; times < 3; times += 1) {
      desk.desk.signOut('asked');
      expect(desk.desk.status().keySaved).toBe(true);
      expect(await opens(desk)).toBe(true);
    }
  });

  it('opens at the next start', async () => {
    const desk = start();
    await signIn(desk);
    desk.desk.signOut('asked');
    const next = start();
    expect(next.desk.status().keySaved).toBe(true);
    expect(await opens(next)).toBe(true);
  });

  it('is kept again where the lock was opened by typing it', async () => {
    const desk = start();
    await signIn(desk);
    desk.desk.lock('asked');
    for (const wrong of [ben, ann.slice(0, -1), ''])
      expect(desk.desk.unlock(wrong)).toMatchObject({ problem: { kind: 'invalidKey' } });
    expect(desk.desk.status().phase).toBe('locked');
    expect(desk.desk.unlock(ann).ok).toBe(true);
    desk.desk.signOut('asked');
    expect(await opens(desk)).toBe(true);
  });

  it('stays where the sign-in with it came to nothing', async () => {
    const desk = start();
    await signIn(desk);
    desk.desk.signOut('asked');
    const offline = start(() => Promise.reject(new TypeError('net::ERR_CONNECTION_REFUSED')));
    expect(await opens(offline)).toBe(false);
    expect(await opens(start())).toBe(true);
  });

  it('is not on the disk from the sign-in to the sign-out', async () => {
    const desk = start();
    await signIn(desk);
    expect(readdirSync(folder)).toEqual([]);
    desk.desk.signOut('asked');
    expect(readdirSync(folder)).toEqual(['staff-key']);
    await desk.keys.signInWithSavedKey();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is forgotten when asked, also while signed in', async () => {
    const desk = start();
    await signIn(desk);
    expect(desk.keys.forgetKey().keySaved).toBe(false);
    desk.desk.signOut('asked');
    expect(await opens(desk)).toBe(false);
  });

  it('that is on its way to the service opens nothing when the computer sleeps or locks meanwhile', async () => {
    const first = start();
    await signIn(first);
    first.desk.signOut('asked');
    const answers: (() => void)[] = [];
    const desk = start(
      () =>
        new Promise((resolve) => {
          answers.push(() => {
            resolve(Response.json(people));
          });
        }),
    );
    const signingIn = desk.keys.signInWithSavedKey();
    while (answers.length === 0) await new Promise(setImmediate);
    desk.desk.lock('suspend');
    answers.forEach((answer) => {
      answer();
    });
    expect(await signingIn).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect(desk.desk.status().phase).toBe('signedOut');
  });
});

type Step =
  | { do: 'signIn'; key: string; keep: boolean }
  | { do: 'lock'; reason: Reason }
  | { do: 'unlock'; key: string }
  | { do: 'signOut'; reason: Reason }
  | { do: 'kept' | 'forget' | 'quit' | 'kill' | 'refuse' };

const key = fc.constantFrom(ann, ben);
const just = <D extends Step['do']>(what: D): fc.Arbitrary<{ do: D }> => fc.constant({ do: what });
/** Those that a saved key opens after come often, so that many sequences get as far as that. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('signIn'), key, keep: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant({ do: 'signOut', reason: 'asked' }) },
  { weight: 4, arbitrary: just('kept') },
  { weight: 2, arbitrary: just('quit') },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unlock'), key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lock'),
      reason: fc.constantFrom<Reason>('asked', 'idle', 'suspend', 'systemLock'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('signOut'),
      reason: fc.constantFrom<Reason>('idle', 'limit', 'expired'),
    }),
  },
  { weight: 1, arbitrary: just('kill') },
  { weight: 1, arbitrary: just('forget') },
  { weight: 1, arbitrary: just('refuse') },
);

describe('whatever happens at the desk', () => {
  it('after a lock or an automatic sign-out, only a typed key opens it', async () => {
    let opened = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        async (steps) => {
          rmSync(join(folder, 'staff-key'), { force: true });
          let refuses = false;
          const answer: Answer = () => {
            const status = refuses ? 401 : 200;
            refuses = false;
            return Response.json(status === 200 ? people : { title: 'No' }, { status });
          };
          let desk = start(answer);
          /** Public parts of the keys that were typed, and taken, since the last lock or automatic sign-out. */
          const typed = new Set<string | undefined>();
          for (const one of steps) {
            const { phase } = desk.desk.status();
            switch (one.do) {
              case 'signIn':
                if ((await signIn(desk, one.key, one.keep)).ok) typed.add(desk.desk.status().keyId);
                break;
              case 'unlock':
                if (desk.desk.unlock(one.key).ok) typed.add(desk.desk.status().keyId);
                break;
              case 'lock':
                desk.desk.lock(one.reason);
                if (phase === 'signedIn') typed.clear();
                break;
              case 'signOut':
                desk.desk.signOut(one.reason);
                if (phase !== 'signedOut' && one.reason !== 'asked') typed.clear();
                break;
              case 'kept':
                if (!(await opens(desk))) break;
                opened += 1;
                expect([...typed]).toContain(desk.desk.status().keyId);
                break;
              case 'forget':
                desk.keys.forgetKey();
                break;
              case 'quit':
                desk.desk.end();
                desk = start(answer);
                break;
              case 'kill':
                desk = start(answer);
                break;
              case 'refuse':
                refuses = true;
                break;
            }
          }
        },
      ),
      { numRuns: 50 },
    );
    // It did open where it may: the rule above has been asked.
    expect(opened).toBeGreaterThan(5);
  });
});
