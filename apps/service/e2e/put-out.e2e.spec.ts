import { afterAll, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { share } from '@caregate/seeded/seed';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import { TestDesk } from '../src/access/sessions/desk.testing.ts';
import {
  bin,
  caregate,
  kill,
  newFolder,
  noLimits,
  removeFolder,
  type Running,
  start,
} from './caregate.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 2 })];
const insurance = envelopes.find((envelope) => envelope.kind === 'insurance')!;
const path = `/v2/user/${insurance.user_id}/insurance/latest`;
const folder = newFolder();
const running: Running[] = [];
let server: PostgresServer | undefined;

afterAll(async () => {
  running.forEach(kill);
  await server?.stop();
  removeFolder(folder);
});

/** What a command or an answer says, of which texts alone are used. */
type Printed = Readonly<Record<string, string>>;

interface Person {
  readonly staffId: string;
  readonly deskId: string;
  /** The status of a read at this instance, with a proof of its own. */
  read(at: Running): Promise<number>;
}

/** Somebody new, who signs in at a new desk of the first instance. */
async function signIn(
  { ready }: Running,
  run: (...command: string[]) => Promise<Printed>,
): Promise<Person> {
  const desk = new TestDesk();
  const inTeam = ['--team', sampleTeamId];
  const who = ['--name', 'Ines Example', '--role', 'clinician'];
  const { staff_id: staffId = '' } = await run('staff', 'add', ...inTeam, ...who);
  const { key = '' } = await run('keys', 'create', '--staff', staffId);
  const { code = '' } = await run('desks', 'enrol', ...inTeam, '--name', 'Desk 1');
  const post = async (to: string, body: object, more = {}): Promise<Printed> => {
    const url = ready.base_url + to;
    const dpop = desk.proof('POST', url);
    const headers = { 'content-type': 'application/json', dpop, ...more };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([to, answer.ok]).toEqual([to, true]);
    return (await answer.json()) as Printed;
  };
  const { desk_id: deskId = '' } = await post('/access/desks', { code });
  const withKey = { 'x-service-api-key': key };
  const { session: token = '' } = await post('/access/sessions', { desk_id: deskId }, withKey);
  return {
    staffId,
    deskId,
    read: async (at) => {
      const url = at.ready.base_url + path;
      const dpop = desk.proof('GET', url, { token });
      const answer = await fetch(url, { headers: { authorization: `DPoP ${token}`, dpop } });
      const text = await answer.text();
      expect(answer.status === 200).toBe(text.includes('member_id'));
      return answer.status;
    },
  };
}

/** Each engine has one of them, which the seed chooses. */
const acts = [['staff', 'disable'] as const, ['desks', 'revoke'] as const];
const others = share(acts, 2);

it.each([
  ['SQLite', 1, ...acts.filter((act) => !others.includes(act))[0]!],
  ['PostgreSQL', 2, ...others[0]!],
] as const)(
  'on %s with %i running, whoever `%s %s` puts out reads nothing from the next request on, at any of them',
  async (engine, count, group, act) => {
    let env: Record<string, string> = {};
    if (engine === 'PostgreSQL') {
      server ??= await startPostgres({ fsync: 'off' });
      env = { DATABASE_URL: server.url };
    }
    const data = join(folder, engine);
    const run = async (...command: string[]): Promise<Printed> => {
      const { out, ...done } = await caregateIn(env, [...command, '--data', data, '--json']);
      expect([command.join(' '), done]).toEqual([command.join(' '), { code: 0, err: '' }]);
      return JSON.parse(out) as Printed;
    };
    const file = join(folder, 'people.ndjson');
    writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
    expect(caregate(['import', file, '--data', data], env).status).toBe(0);
    const instances: Running[] = [];
    for (let place = 0; place < count; place += 1) {
      // On a database each has an audit log of its own, and so have the commands.
      const own = engine === 'SQLite' ? data : join(data, `${place}`);
      const one = await start(['serve', '--data', own], newFolder(), { ...env, ...noLimits });
      running.push(one);
      instances.push(one);
    }
    const [first] = instances;
    const [person, colleague] = [await signIn(first!, run), await signIn(first!, run)];
    const readAt = (one: Person): Promise<number[]> =>
      Promise.all(instances.map((at) => one.read(at)));
    const answered = Array.from<number>({ length: count }).fill(200);
    expect(await readAt(person)).toEqual(answered);

    // Read all the time at each of them, while the command works and after.
    let isOut = false;
    const counts = instances.map(() => ({ before: 0, after: 0 }));
    let hasEnded = false;
    const reading = Promise.all(
      instances.map(async (at, place) => {
        for (;;) {
          const when = isOut ? 'after' : 'before';
          if ((await person.read(at)) === 401) return;
          counts[place]![when] += 1;
          await sleep(2);
        }
      }),
    ).finally(() => {
      hasEnded = true;
    });
    const haveRead = async (): Promise<void> => {
      while (!hasEnded && counts.some(({ before }) => before === 0)) await sleep(5);
    };
    // A read that fails before anybody is put out fails the test at once.
    await Promise.race([reading, haveRead()]);
    expect(counts.filter(({ before }) => before === 0)).toEqual([]);
    const id = group === 'staff' ? person.staffId : person.deskId;
    const putOut = promisify(execFile)(process.execPath, [bin, group, act, id, '--data', data], {
      env: { ...process.env, ...env },
    }).then(() => {
      isOut = true;
    });
    // Together, so that none of them fails unheard.
    await Promise.all([putOut, reading]);
    for (const { after } of counts) expect(after).toBe(0);
    expect(await readAt(person)).toEqual(answered.map(() => 401));
    expect(await readAt(colleague)).toEqual(answered);
    for (const one of instances) expect(await one.end()).toBe(0);
  },
);
