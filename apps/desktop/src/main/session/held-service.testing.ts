import { afterEach, beforeEach, expect } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '../../bridge/problem.ts';
import { DeskStore } from '../staff/desk-store.ts';
import type { PersonSession } from '../staff/person-session.ts';
import { sealedByXor } from '../staff/sealed-file.testing.ts';
import { StaffSignIn } from '../staff/staff-sign-in.ts';
import { DeskSession } from './desk-session.ts';
import { KeyStore } from './key-store.ts';

export const address = 'https://caregate.example';
export const current = '/access/sessions/current';

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** How the service answers a request for emergency access. */
export const granted = (id: string): Response =>
  Response.json({ break_glass_id: id, expires_at: later(1_800_000) }, { status: 201 });

/** A refusal as the service words it. */
export const refusal = (status: number, type: string, more: object = {}): Response =>
  Response.json({ type: `/problems/${type}`, status, ...more }, { status });

/** A service that answers at once, or when the test says so. */
export class HeldService {
  readonly asked: string[] = [];
  readonly #answers: Record<string, () => Response>;
  readonly #held = new Map<string, Promise<Response>[]>();

  constructor() {
    const session = (name: string): Response =>
      Response.json({
        ...{
          session_id: 's-1',
          session: 'cg_sess_test',
          expires_at: later(600_000),
          ends_at: later(40_000_000),
        },
        ...{ pin_set: true, staff: { staff_id: name, name, role: 'clinician' } },
        desk: { desk_id: 'd-1', name: 'Desk 1' },
      });
    this.#answers = {
      'POST /access/desks': () => Response.json({ desk_id: 'd-1', name: 'Desk 1' }),
      'POST /access/sessions': () => session(this.next),
      [`POST ${current}/unlock`]: () => session(this.next),
      'POST /access/badges': () => Response.json({ staff_id: 'Ben' }),
      'POST /access/break-glass': () => granted('g-1'),
      // A staff key is taken by itself as well.
      'GET /v2/user/': () => Response.json({ users: [], total: 0, offset: 0, limit: 1 }),
    };
  }

  /** Who is signed in next. */
  next = 'Ann';

  readonly fetch = (url: string, init?: { readonly method?: string }): Promise<Response> => {
    const asked = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
    this.asked.push(asked);
    const answer = this.#answers[asked]?.() ?? new Response(null, { status: 204 });
    return this.#held.get(asked)?.shift() ?? Promise.resolve(answer);
  };

  /** The next answer to this that isn't held yet waits until it is given. */
  hold(asked: string): (answer?: Response) => void {
    let give: (answer: Response) => void = () => undefined;
    const answers = this.#held.get(asked) ?? [];
    answers.push(new Promise((resolve) => (give = resolve)));
    this.#held.set(asked, answers);
    const usual = this.#answers[asked];
    return (answer = usual?.()) => {
      give(answer ?? new Response(null, { status: 204 }));
    };
  }

  /** Once it was asked so often. */
  async was(asked: string, times = 1): Promise<void> {
    while (this.count(asked) < times) await new Promise((resolve) => setImmediate(resolve));
  }

  count(asked: string): number {
    return this.asked.filter((one) => one === asked).length;
  }
}

/** The provider's part is `e2e/people`: here its page is over at once. */
class QuickBrowser extends StaffSignIn {
  override byBrowser(where: string): Promise<Outcome<PersonSession>> {
    return this.byKey(where, 'cg_live_any_secret');
  }
}

/** A desk that this service knows, with its files in a folder. */
async function enrolledDesk(service: HeldService, folder: string): Promise<DeskSession> {
  const { fetch } = service;
  const desk = new DeskSession({
    ...{ fetch, address, demo: undefined },
    staff: new QuickBrowser({
      ...{ fetch, store: new DeskStore(sealedByXor(), folder) },
      browser: { fetch, openBrowser: () => Promise.resolve(), language: () => 'en' },
    }),
    keyStore: new KeyStore(sealedByXor(), folder),
    onStatus: () => undefined,
    onConnection: () => undefined,
  });
  const enrolled = await desk.people.enrolDesk({ address, code: 'ABCDE23456' });
  if (!enrolled.ok) throw new Error(enrolled.problem.kind);
  return desk;
}

/** A desk, the service that it asks, and the folder of its files. */
export interface HeldDesk {
  readonly folder: string;
  readonly service: HeldService;
  readonly desk: DeskSession;
}

/** Makes them anew before each test, and removes their folder after it. */
export function anewForEach(take: (made: HeldDesk) => void): void {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'caregate-late-'));
    const service = new HeldService();
    take({ folder, service, desk: await enrolledDesk(service, folder) });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
}

export const cancelled = { ok: false, problem: { kind: 'cancelled' } };

/** Signs somebody in by the browser. */
export async function signInAs(
  { service, desk }: Omit<HeldDesk, 'folder'>,
  name: string,
): Promise<void> {
  service.next = name;
  expect(await desk.people.begin()).toMatchObject({ ok: true, value: { current: name } });
}
