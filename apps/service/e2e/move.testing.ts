import { afterAll, beforeAll, expect } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { AccessStore } from '../src/auth/access-store.ts';
import { unrecorded } from '../src/auth/access.testing.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import type { Role } from '../src/operations/operations.ts';
import { newFolder, start, type Running } from './caregate.testing.ts';

const otherTeam = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const teams = [sampleTeamId, otherTeam];
export const envelopes = teams.map((teamId, at) =>
  [
    ...sampleEnvelopes({ users: at === 0 ? 20 : 3, teamId, mindfulnessDays: 3 }),
    // Enough people for many pages.
    ...(at === 0 ? sampleEnvelopes({ users: 280, first: 20, teamId, kinds: ['user'] }) : []),
  ].map((each) =>
    each.kind === 'user'
      ? { ...each, user: { ...each.user, client_user_id: `${at} ${each.user.client_user_id}` } }
      : each,
  ),
);
export const all = envelopes.flat();
/** A user with more points than one page has. */
export const walker = envelopes[0]!.find((each) => each.kind === 'user')!.user.user_id;
export const reason = 'Found without consciousness, allergies unknown';

export let server: PostgresServer;
export let folder: string;
/** The data folder of a service that was stopped. Each test works on a copy. */
export let source: string;
export let kept: { readonly key: string; readonly note: string; readonly notePath: string };
export let keys: Record<'clinician' | 'other' | 'auditor' | 'desk' | 'revoked', string>;
export let answers: ReadonlyMap<string, string>;
export let cursor: string;

beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
  folder = newFolder();
  source = join(folder, 'source');
  const file = join(folder, 'people.ndjson');
  const points = Array.from({ length: 1500 }, (_, minute) => {
    const at = (plus: number): string =>
      new Date(Date.UTC(2026, 0, 1, 0, minute + plus)).toISOString().replace('.000Z', '+00:00');
    return { start: at(0), end: at(1), unit: 'min', value: 1 };
  });
  const walked = {
    kind: 'mindfulness_minutes',
    team_id: sampleTeamId,
    user_id: walker,
    // Contains all characters that COPY interprets.
    source: { provider: 'oura', type: 'ring\\N\t"\\\\.\n' },
    data: points,
  };
  writeFileSync(file, [...all, walked].map((each) => `${JSON.stringify(each)}\n`).join(''));
  await setUp('import', file);
  const access = await AccessStore.open(source, { acts: unrecorded });
  const create = (teamId: string, role: Role) => access.keys.create({ teamId, role, label: 'x' });
  const revoked = await create(sampleTeamId, 'clinician');
  await access.keys.revoke(revoked.keyId);
  keys = {
    clinician: (await create(sampleTeamId, 'clinician')).key,
    other: (await create(otherTeam, 'clinician')).key,
    auditor: (await create(sampleTeamId, 'auditor')).key,
    desk: (await create(sampleTeamId, 'front_desk')).key,
    revoked: revoked.key,
  };
  await access.close();
  const service = await start(['serve', '--data', source], newFolder());
  answers = await answersOf(service);
  cursor = readNextLink(answers.get(pagePath) ?? '');
  const why = { reason_code: 'other', text: reason, user_id: walker };
  expect(await ask(service, '/access/break-glass', keys.desk, why)).toMatch(/^201 /u);
  const note = await setUp('audit', 'checkpoint');
  const notePath = join(folder, 'note');
  writeFileSync(notePath, note);
  kept = { key: (await setUp('audit', 'public-key')).trim(), note, notePath };
  // A record after the kept checkpoint.
  await ask(service, pagePath, keys.clinician);
  expect(await service.end()).toBe(0);
});

afterAll(() => server.stop());

/** Runs a command in this process, and returns its output. */
export async function done(env: Record<string, string>, ...words: string[]): Promise<string> {
  const { out, ...ended } = await caregateIn(env, words);
  expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
  return out;
}

const setUp = (...words: string[]): Promise<string> => done({ CAREGATE_DATA: source }, ...words);

let copies = 0;
export function copyOfSource(): string {
  copies += 1;
  const to = join(folder, `copy-${copies}`);
  cpSync(source, to, { recursive: true });
  return to;
}

export const moving = (data: string): string[] => ['move', '--from', data];

export async function ask(one: Running, path: string, key: string, body?: object): Promise<string> {
  const answer = await fetch(`${one.ready.base_url}${path}`, {
    headers: { 'x-service-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return `${answer.status} ${await answer.text()}`;
}
const search = (one: Running, text: string, key: string): Promise<string> =>
  ask(one, '/desk/people/search', key, { text, limit: 20 });

export const pagePath = `/v2/timeseries/${walker}/mindfulness_minutes/grouped?start_date=2020-01-01`;
const readNextLink = (answer: string): string => /"next":"([^"]+)"/u.exec(answer)?.[1] ?? '';
/** Removes cursors, which are encrypted differently each time. */
export const withoutCursor = (answer: string): string =>
  answer.replaceAll(/"v?[\w-]{40,}"/gu, '"cursor"');

/** Returns responses for users of both teams by path. Requires that the other team's key gets 404. */
export async function answersOf(one: Running): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [at, teamId] of teams.entries()) {
    const own = at === 0 ? keys.clinician : keys.other;
    const foreign = at === 0 ? keys.other : keys.clinician;
    const people = envelopes[at]!.filter((each) => each.kind === 'user').slice(0, 2);
    const orders = envelopes[at]!.filter((each) => each.kind === 'lab_result').slice(0, 2);
    const paths = [
      ...people.flatMap(({ user }) => [
        `/v2/user/resolve/${encodeURIComponent(user.client_user_id)}`,
        `/v2/user/${user.user_id}/insurance/latest`,
        `/v2/timeseries/${user.user_id}/mindfulness_minutes/grouped?start_date=2020-01-01`,
      ]),
      ...orders.flatMap(({ order_id: id }) => [
        `/v3/order/${id}/result`,
        `/desk/orders/${id}/history`,
      ]),
    ];
    for (const path of paths) {
      found.set(path, await ask(one, path, own));
      expect([path, (await ask(one, path, foreign)).slice(0, 3)]).toEqual([path, '404']);
    }
    for (const { result, user_id: userId } of orders) {
      const { patient } = result.metadata;
      for (const text of [patient ?? userId, (patient ?? userId).slice(0, 4), userId]) {
        const people = await search(one, text, own);
        expect([text, people]).toEqual([text, expect.stringContaining(userId)]);
        found.set(`search ${text} ${teamId}`, people);
        expect(await search(one, text, foreign)).not.toContain(userId);
      }
    }
    for (const page of [1, 2]) {
      const path = `/v3/orders?size=40&page=${page}`;
      found.set(`${path} ${teamId}`, await ask(one, path, own));
    }
    for (const offset of [0, 2, 257, 299]) {
      const path = `/v2/user?offset=${offset}&limit=7`;
      found.set(`${path} ${teamId}`, await ask(one, path, own));
    }
  }
  const statuses = [...found.values()].map((answer) => answer.slice(0, 3));
  expect(statuses.filter((status) => status === '200').length).toBeGreaterThan(20);
  return found;
}

export async function inDatabase<T>(url: string, what: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await what(db);
  } finally {
    await db.end();
  }
}

export async function count(url: string, from: string): Promise<number> {
  return await inDatabase(url, async (db) => {
    const { rows } = await db.query<{ count: string }>(`select count(*) as count from ${from}`);
    return Number(rows[0]!.count);
  });
}
