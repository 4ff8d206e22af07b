import { beforeAll, describe, expect, it } from '@jest/globals';
import { edgeCases } from '@caregate/sample-data';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder, start, type Running } from './caregate.testing.ts';

type Call = (...parameters: unknown[]) => PromiseLike<unknown>;
/** The methods of the SDKs' clients that this spec calls. Both SDKs have them. */
interface Client {
  readonly user: Record<'getAll' | 'getByClientUserId' | 'getLatestInsurance', Call> & {
    getLatestUserInfo: Call;
  };
  readonly labTests: {
    getResultRaw: Call;
    getOrders(query: object): PromiseLike<{ orders: unknown[] }>;
  };
  readonly vitals: { mindfulnessMinutesGrouped: Call };
}
type ClientClass = new (settings: object) => Client;

const ofLongTier = createRequire(
  new URL('../../../tools/setup/long/package.json', import.meta.url),
);
const { JunctionClient } = ofLongTier('@junction-api/sdk') as { JunctionClient: ClientClass };
const { VitalClient } = ofLongTier('@tryvital/vital-node') as { VitalClient: ClientClass };

let demo: Running;
/** The demo without the profile `public-sdk`. */
let plainDemo: Running;

beforeAll(async () => {
  const [folder, other] = [newFolder(), newFolder()];
  const people = ['demo', '--users', '30'];
  [demo, plainDemo] = await Promise.all([
    start(people, folder, { TMPDIR: folder, CAREGATE_PROFILE: 'public-sdk' }),
    start(people, other, { TMPDIR: other }),
  ]);
  // The ready file may exist before the output has arrived through the pipe.
  while (!demo.stdout().includes('Press Ctrl-C to stop.')) {
    await sleep(10);
  }
});

/** Returns the URLs of the printed curl lines, in the order of the five operations. */
function printed(): URL[] {
  const text = demo.stdout();
  const values = new Map([...text.matchAll(/^ {2}([A-Z_]+)=(.*)$/gmu)].map(([, a, b]) => [a, b]));
  return [...text.matchAll(/"(\$BASE[^"]+)"$/gmu)].map(
    ([, url = '']) =>
      new URL(url.replaceAll(/\$([A-Z_]+)/gu, (_, name: string) => values.get(name) ?? '')),
  );
}

async function raw(path: string): Promise<{ status: number; body: unknown }> {
  const headers = { 'x-service-api-key': demo.ready.keys['integration']! };
  const answer = await fetch(new URL(path, demo.ready.base_url), { headers });
  return { status: answer.status, body: await answer.json() };
}

interface Calls {
  listUsers(offset: number, limit: number): PromiseLike<unknown>;
  resolveUser(clientUserId: string): PromiseLike<unknown>;
  latestInsurance(userId: string): PromiseLike<unknown>;
  labOrderResult(orderId: string): PromiseLike<unknown>;
  mindfulnessMinutes(userId: string, startDate: string, endDate: string): PromiseLike<unknown>;
}

interface Listed {
  readonly user_id: string;
  readonly client_user_id: string;
}

const once = { maxRetries: 0 };
/** Sends the key in this service's header. The SDK's own header gets a placeholder. */
const settings = ({ ready }: Running) => ({
  apiKey: 'not sent',
  baseUrl: ready.base_url,
  headers: { 'x-service-api-key': ready.keys['integration']!, 'x-vital-api-key': null },
});
const sdks: Readonly<Record<string, (of: Running) => Calls>> = {
  '@junction-api/sdk': (of) => {
    const { user, labTests, vitals } = new JunctionClient({ ...settings(of), ...once });
    return {
      listUsers: (offset, limit) => user.getAll({ offset, limit }),
      resolveUser: (clientUserId) => user.getByClientUserId({ clientUserId }),
      latestInsurance: (userId) => user.getLatestInsurance({ userId }),
      labOrderResult: (orderId) => labTests.getResultRaw({ orderId }),
      mindfulnessMinutes: (userId, startDate, endDate) =>
        vitals.mindfulnessMinutesGrouped({ userId, startDate, endDate }),
    };
  },
  '@tryvital/vital-node': (of) => {
    const { user, labTests, vitals } = new VitalClient(settings(of));
    return {
      listUsers: (offset, limit) => user.getAll({ offset, limit }, once),
      resolveUser: (clientUserId) => user.getByClientUserId(clientUserId, once),
      latestInsurance: (userId) => user.getLatestInsurance(userId, {}, once),
      labOrderResult: (orderId) => labTests.getResultRaw(orderId, once),
      mindfulnessMinutes: (userId, startDate, endDate) =>
        vitals.mindfulnessMinutesGrouped(userId, { startDate, endDate }, once),
    };
  },
};

describe.each(Object.keys(sdks))('the demo with the profile public-sdk, read by %s', (name) => {
  it('returns the responses of all five printed lines unchanged', async () => {
    const calls = sdks[name]!(demo);
    const urls = printed();
    const [list, resolve, insurance, order, minutes] = urls.map((url) => url.pathname.split('/'));
    const dates = urls[4]!.searchParams;
    const answers = [
      calls.listUsers(0, Number(urls[0]!.searchParams.get('limit'))),
      calls.resolveUser(decodeURIComponent(resolve!.at(-1)!)),
      calls.latestInsurance(insurance![3]!),
      calls.labOrderResult(order![3]!),
      calls.mindfulnessMinutes(minutes![3]!, dates.get('start_date')!, dates.get('end_date')!),
    ];
    expect(list).toEqual(['', 'v2', 'user', '']);
    for (const [at, answer] of answers.entries()) {
      const { status, body } = await raw(`${urls[at]!.pathname}${urls[at]!.search}`);
      expect([at, status]).toEqual([at, 200]);
      expect(plain(await answer)).toEqual(plain(body));
    }
  });

  it('returns the list, each user and each insurance unchanged', async () => {
    const calls = sdks[name]!(demo);
    const { body } = await raw('/v2/user/?limit=500');
    const { users, total } = body as { total: number; users: Listed[] };
    expect(users).toHaveLength(total);
    expect(plain(await calls.listUsers(0, 500))).toEqual(plain(body));
    let insured = 0;
    const compare = async ({ user_id: userId, client_user_id: clientUserId }: Listed) => {
      const user = await raw(`/v2/user/resolve/${encodeURIComponent(clientUserId)}`);
      expect(plain(await calls.resolveUser(clientUserId))).toEqual(plain(user.body));
      const insurance = await raw(`/v2/user/${userId}/insurance/latest`);
      if (insurance.status === 404) {
        return;
      }
      insured += 1;
      if (userId === edgeCases.nullsEverywhere.userId) {
        // The SDKs refuse null in some fields. The service doesn't invent values for them.
        await expect(calls.latestInsurance(userId)).rejects.toThrow(/received null/iu);
      } else {
        expect(plain(await calls.latestInsurance(userId))).toEqual(plain(insurance.body));
      }
    };
    // Several workers read at the same time, so that their audit records are committed together.
    const waiting = [...users];
    const worker = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await compare(next);
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    expect(insured).toBeGreaterThan(20);
  });

  it('rejects an unknown user with status 404', async () => {
    await expect(sdks[name]!(demo).resolveUser('nobody')).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  it('rejects all five responses without the profile', async () => {
    const calls = sdks[name]!(plainDemo);
    const {
      user_id: userId,
      order_id: orderId,
      client_user_id: clientUserId,
    } = plainDemo.ready.sample!;
    for (const answer of [
      calls.listUsers(0, 10),
      calls.resolveUser(clientUserId),
      calls.latestInsurance(userId),
      calls.labOrderResult(orderId),
      calls.mindfulnessMinutes(userId, '2020-01-01', '2030-01-01'),
    ]) {
      await expect(answer).rejects.toThrow(/required|expected/i);
    }
  });
});

/** Converts birth dates of patients as the SDK does, which parses them as instants. */
function withMoments(body: unknown): unknown {
  const text = JSON.stringify(body);
  return JSON.parse(
    text.replaceAll(/"dob":"(\d{4}-\d\d-\d\d)"/gu, '"dob":"$1T00:00:00Z"'),
  ) as unknown;
}

describe('the orders of the demo', () => {
  it('are read completely by @junction-api/sdk, page by page and with each filter', async () => {
    const { labTests, user } = new JunctionClient({ ...settings(demo), ...once });
    let seen = 0;
    for (let page = 1, total = 1; seen < total; page += 1) {
      const { body } = await raw(`/v3/orders?page=${page}&size=20`);
      const list = body as { orders: unknown[]; total: number };
      const read = await labTests.getOrders({ page, size: 20 });
      expect(plain(read)).toEqual(plain(withMoments(body)));
      ({ total } = list);
      expect(list.orders.length).toBeGreaterThan(0);
      seen += list.orders.length;
    }
    expect(seen).toBeGreaterThan(20);
    const { user_id: userId, order_id: orderId } = demo.ready.sample!;
    for (const query of [
      { userId },
      { orderIds: [orderId] },
      { searchInput: orderId },
      { patientName: 'okonkwo' },
      { status: ['completed'], interpretation: 'abnormal' },
      { startDate: new Date('2020-01-01'), orderKey: 'created_at' },
    ]) {
      const { orders } = await labTests.getOrders(query);
      expect([query, orders.length > 0]).toEqual([query, true]);
    }
    const { body: info } = await raw(`/v2/user/${userId}/info/latest`);
    expect(plain(await user.getLatestUserInfo({ userId }))).toEqual(plain(info));
  });
});

/**
 * Normalizes a body and the SDK's result, so that they can be compared: field names without case and punctuation,
 * instants in UTC, and no null values.
 */
function plain(value: unknown): unknown {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (typeof value === 'string') {
    return /^\d{4}-\d\d-\d\dT/u.test(value) ? new Date(value).toISOString() : value;
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
    return Object.fromEntries(
      fields.map(([name, each]) => [
        name.replaceAll(/[^a-z0-9]/giu, '').toLowerCase(),
        plain(each),
      ]),
    );
  }
  return value;
}
