import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bin, caregateOrThrow } from './instances.ts';

const teams = [sampleTeamId, otherTeamId];

export interface Question {
  readonly path: string;
  readonly key: string;
  readonly status: 200 | 404;
  /** Bytes of the answer, as text; undefined where another team's people are asked for and nothing may be told. */
  readonly body: string | undefined;
}

type Env = Readonly<Record<string, string>>;

async function fill(folder: string, data: string, env: Env): Promise<string[]> {
  const file = join(folder, 'people.ndjson');
  const envelopes = teams.flatMap((teamId) => [...sampleEnvelopes({ users: 12, teamId })]);
  writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  await caregateOrThrow(['import', file, '--data', data], env);
  const keys: string[] = [];
  for (const team of teams) {
    const who = ['--team', team, '--role', 'clinician', '--label', 'load', '--data', data];
    const made = await caregateOrThrow(['keys', 'create', '--json', ...who], env);
    keys.push((JSON.parse(made) as { key: string }).key);
  }
  return keys;
}

/** The right answers come from a service on the embedded store with the same people, not from the one under test. */
export async function makeQuestions(folder: string, data: string, env: Env): Promise<Question[]> {
  const keys = await fill(folder, data, env);
  const reference = join(folder, 'reference');
  const referenceKeys = await fill(folder, reference, {});
  const ready = join(folder, 'reference.json');
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--data', reference, '--port', '0', '--ready-file', ready],
    { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } },
  );
  try {
    while (!existsSync(ready)) {
      if (child.exitCode !== null) {
        throw new Error('The reference on the embedded store did not start');
      }
      await sleep(50);
    }
    const { base_url: baseUrl } = JSON.parse(readFileSync(ready, 'utf8')) as { base_url: string };
    const questions: Question[] = [];
    for (const [at, teamId] of teams.entries()) {
      for (const path of pathsOf(teamId)) {
        const headers = { 'x-service-api-key': turn(referenceKeys, at) };
        const answer = await fetch(`${baseUrl}${path}`, { headers });
        const body = await answer.text();
        if (answer.status !== 200 && answer.status !== 404) {
          throw new Error(`The reference answered ${path} with ${answer.status}: ${body}`);
        }
        // Who has no insurance has none: a 404's text names its request, so that only its status is compared.
        if (answer.status === 200) {
          questions.push({ path, key: turn(keys, at), status: 200, body });
        }
        // The same by the other team's key, except the lists, which are each team's own.
        if (!/^\/v[23]\/(?:user|orders)\?/u.test(path) && !path.includes('resolve')) {
          questions.push({ path, key: turn(keys, at + 1), status: 404, body: undefined });
        }
      }
    }
    return questions;
  } finally {
    child.kill('SIGKILL');
  }
}

export function pathsOf(teamId: string): string[] {
  return [
    '/v2/user?limit=5',
    ...[...sampleEnvelopes({ users: 12, teamId })].map((envelope) => {
      switch (envelope.kind) {
        case 'user':
          return `/v2/user/resolve/${encodeURIComponent(envelope.user.client_user_id)}`;
        case 'user_info':
          return `/v2/user/${envelope.user_id}/info/latest`;
        case 'order':
          return `/v3/orders?order_ids=${envelope.order.id}`;
        case 'lab_result':
          return `/v3/order/${envelope.order_id}/result`;
        case 'insurance':
          return `/v2/user/${envelope.user_id}/insurance/latest`;
        case 'mindfulness_minutes':
          return `/v2/timeseries/${envelope.user_id}/mindfulness_minutes/grouped?start_date=2026-11-01`;
      }
    }),
  ];
}

export function turn<T>(of: readonly T[], at: number): T {
  const found = of[at % of.length];
  if (found === undefined) {
    throw new RangeError('Nobody to take a turn');
  }
  return found;
}
