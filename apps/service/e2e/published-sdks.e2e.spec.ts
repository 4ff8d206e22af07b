import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JunctionClient } from '@junction-api/sdk';
import { VitalClient } from '@tryvital/vital-node';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  caregate,
  kill,
  newFolder,
  removeFolder,
  start,
  type Running,
} from './caregate.testing.ts';
import {
  clientUserId,
  envelopes,
  insurance,
  orderId,
  plain,
  points,
  result,
  source,
  teamId,
  user,
  userId,
} from './published-sdks.testing.ts';

let folder: string;
let data: string;
let key: string;

beforeAll(() => {
  folder = newFolder();
  data = join(folder, 'data');
  const file = join(folder, 'import.ndjson');
  writeFileSync(file, envelopes.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const done = caregate(['import', file, '--data', data]);
  expect(`${done.status} ${done.stdout}${done.stderr}`).toMatch(/^0 /u);
  const flags = [
    '--team',
    teamId,
    '--data',
    data,
    '--role',
    'clinician',
    '--label',
    'e2e',
    '--json',
  ];
  key = (JSON.parse(caregate(['keys', 'create', ...flags]).stdout) as { key: string }).key;
});
afterAll(() => {
  removeFolder(folder);
});

/** Our header in the place of theirs, which is not sent. */
const headers = () => ({ 'x-service-api-key': key, 'x-vital-api-key': null });
const days = { startDate: '2026-10-01', endDate: '2026-10-31' };

/** The five calls of each. */
const sdks = {
  '@junction-api/sdk': (baseUrl: string) => {
    const client = new JunctionClient({
      apiKey: 'not sent',
      baseUrl,
      headers: headers(),
      maxRetries: 0,
    });
    return {
      listUsers: async () => await client.user.getAll({ offset: 0, limit: 10 }),
      resolveUser: async () => await client.user.getByClientUserId({ clientUserId }),
      latestInsurance: async () =>
        await client.user.getLatestInsurance({ userId, isPrimary: true }),
      labOrderResult: async () => await client.labTests.getResultRaw({ orderId }),
      mindfulnessMinutes: async () =>
        await client.vitals.mindfulnessMinutesGrouped({ userId, provider: 'oura', ...days }),
    };
  },
  '@tryvital/vital-node': (baseUrl: string) => {
    const client = new VitalClient({ apiKey: 'not sent', baseUrl, headers: headers() });
    const once = { maxRetries: 0 };
    return {
      listUsers: async () => await client.user.getAll({ offset: 0, limit: 10 }, once),
      resolveUser: async () => await client.user.getByClientUserId(clientUserId, once),
      latestInsurance: async () =>
        await client.user.getLatestInsurance(userId, { isPrimary: true }, once),
      labOrderResult: async () => await client.labTests.getResultRaw(orderId, once),
      mindfulnessMinutes: async () =>
        await client.vitals.mindfulnessMinutesGrouped(userId, { provider: 'oura', ...days }, once),
    };
  },
};
const imported = {
  listUsers: { users: [user], total: 1, offset: 0, limit: 10 },
  resolveUser: user,
  latestInsurance: insurance,
  labOrderResult: { ...result, metadata: { ...result.metadata, age: '45' } },
  mindfulnessMinutes: { groups: { oura: [{ source, data: points }] } },
};
const names = Object.keys(sdks) as (keyof typeof sdks)[];
const operations = Object.keys(imported) as (keyof typeof imported)[];
const calls = names.flatMap((name) => operations.map((operation) => [name, operation] as const));

describe('with the profile public-sdk, the published SDK', () => {
  let service: Running;
  beforeAll(async () => {
    service = await start(['serve', '--data', data], folder, { CAREGATE_PROFILE: 'public-sdk' });
  });
  afterAll(async () => {
    await service.end();
    kill(service);
  });

  it.each(calls)(
    '%s takes the answer of %s and gives what was imported',
    async (name, operation) => {
      const answer = await sdks[name](service.ready.base_url)[operation]();
      expect(plain(answer)).toMatchObject(plain(imported[operation]) as object);
    },
  );

  it.each(names)('%s tells an error of ours by its status', async (name) => {
    const client = sdks[name](`${service.ready.base_url}/nowhere`);
    await expect(client.listUsers()).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('without the profile, the published SDK', () => {
  let service: Running;
  beforeAll(async () => {
    service = await start(['serve', '--data', data], folder);
  });
  afterAll(async () => {
    await service.end();
    kill(service);
  });

  it.each(calls)('%s refuses the answer of %s', async (name, operation) => {
    await expect(sdks[name](service.ready.base_url)[operation]()).rejects.toThrow(
      /required|expected/i,
    );
  });
});
