import { beforeEach, expect } from '@jest/globals';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import type { Status } from '../../shared/app-state.ts';
import { DeskStore } from '../staff/desk-store.ts';
import { sealedByXor } from '../files/sealed-by-xor.testing.ts';
import { StaffSignIn } from '../staff/staff-sign-in.ts';
import { DeskCalls } from './desk-calls.ts';
import { DeskSession } from './desk-session.ts';

const address = 'https://caregate.example';
export const current = '/access/sessions/current';

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** The response that grants emergency access. */
export const granted = (id: string): Response =>
  Response.json({ break_glass_id: id, expires_at: later(1_800_000) }, { status: 201 });

/** An error response of the service. */
export const refusal = (status: number, type: string, more: object = {}): Response =>
  Response.json({ type: `/problems/${type}`, status, ...more }, { status });

const minute = 60_000;

/**
 * A fake service that answers at once, or when the test releases the answer. Its sessions last ten minutes, and twelve
 * hours at most, by its own clock.
 */
export class HeldService {
  readonly requests: string[] = [];
  now = Date.now();
  readonly renewedAt: number[] = [];
  #expires = 0;
  #ends = 0;
  readonly #answers: Record<string, () => Response>;
  readonly #held = new Map<string, Promise<Response>[]>();

  constructor() {
    const session = (name: string): Response => {
      this.#expires = Math.min(this.now + 10 * minute, this.#ends);
      return Response.json({
        ...{ session_id: 's-1', session: 'cg_sess_test', pin_set: true },
        expires_at: new Date(this.#expires).toISOString(),
        ends_at: new Date(this.#ends).toISOString(),
        staff: { staff_id: name, name, role: 'clinician' },
        desk: { desk_id: 'd-1', name: 'Desk 1' },
      });
    };
    this.#answers = {
      'GET /access/sign-in': () =>
        Response.json({
          provider: { issuer: 'https://id.example', client_id: 'c', name: 'Id' },
          pin: { min: 6, max: 12 },
        }),
      'POST /access/desks': () => Response.json({ desk_id: 'd-1', name: 'Desk 1' }),
      'POST /access/sessions': () => {
        this.#ends = this.now + 720 * minute;
        return session(this.next);
      },
      [`POST ${current}/renew`]: () => {
        if (this.now >= this.#expires) return refusal(401, 'session-ended');
        this.renewedAt.push(this.now);
        return session(this.next);
      },
      [`POST ${current}/unlock`]: () => session(this.next),
      'POST /access/badges': () => Response.json({ staff_id: 'Ben' }),
      'POST /access/break-glass': () => granted('g-1'),
      'GET /v2/user/': () => Response.json({ users: [], total: 0, offset: 0, limit: 1 }),
    };
  }

  next = 'Ann';

  readonly fetch = (url: string, init?: { readonly method?: string }): Promise<Response> => {
    const route = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
    this.requests.push(route);
    const answer = this.#answers[route]?.() ?? new Response(null, { status: 204 });
    return this.#held.get(route)?.shift() ?? Promise.resolve(answer);
  };

  /** Holds the next response to this request until the returned function is called. */
  hold(route: string): (answer?: Response) => void {
    let give: (answer: Response) => void = () => undefined;
    const answers = this.#held.get(route) ?? [];
    answers.push(new Promise((resolve) => (give = resolve)));
    this.#held.set(route, answers);
    const usual = this.#answers[route];
    return (answer = usual?.()) => {
      give(answer ?? new Response(null, { status: 204 }));
    };
  }

  async was(route: string, times = 1): Promise<void> {
    while (this.count(route) < times) await new Promise((resolve) => setImmediate(resolve));
  }

  count(route: string): number {
    return this.requests.filter((one) => one === route).length;
  }
}

/** Skips the provider's page, which `e2e/people` tests. */
class QuickBrowser extends StaffSignIn {
  protected override openPage(): ReturnType<StaffSignIn['openPage']> {
    return Promise.resolve({ idToken: 'id-token' });
  }
}

async function enrolledDesk(
  service: HeldService,
  folder: string,
  statuses: Status[],
): Promise<DeskSession> {
  const { fetch } = service;
  const desk = new DeskSession({
    ...{ address, demo: undefined, now: () => service.now },
    staff: new QuickBrowser({
      ...{ fetch, store: new DeskStore(sealedByXor(), folder) },
      browser: { fetch, openBrowser: () => Promise.resolve(), language: () => 'en' },
    }),
    onStatus: (status) => statuses.push(status),
    onConnection: () => undefined,
  });
  const enrolled = await desk.enrolDesk({ address, code: 'ABCDE23456' });
  if (!enrolled.ok) throw new Error(enrolled.problem.kind);
  return desk;
}

export interface HeldDesk {
  readonly statuses: Status[];
  readonly service: HeldService;
  readonly desk: DeskSession;
  readonly calls: DeskCalls;
}

export function heldDeskForEach(take: (held: HeldDesk) => void): void {
  let folder: string;
  folderForEach((created) => (folder = created));
  beforeEach(async () => {
    const service = new HeldService();
    const statuses: Status[] = [];
    const desk = await enrolledDesk(service, folder, statuses);
    take({ statuses, service, desk, calls: new DeskCalls(desk) });
  });
}

export const cancelled = { ok: false, problem: { kind: 'cancelled' } };

export async function signInAs(
  { service, desk }: Pick<HeldDesk, 'service' | 'desk'>,
  name: string,
): Promise<void> {
  service.next = name;
  expect(await desk.beginSignIn()).toMatchObject({ ok: true, value: { current: name } });
}
