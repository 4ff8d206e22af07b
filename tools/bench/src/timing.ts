import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { quantile, type Row, type Section } from './measure.ts';
import { OneConnection } from './one-connection.ts';
import { noLimits } from './reads.ts';
import { benchKey, command, startService, workFolder } from './service.ts';

/** TIMING_PAIRS is for trying a change out; what is promised is held against 100,000 and more. */
const pairs = Number(process.env['TIMING_PAIRS'] ?? 100_000);
const warmUp = 2_000;
/** Above it, dudect takes a difference for certain (Reparaz, Balasch, Verbauwhede: "Dude, is my code constant time?"). */
const certain = 4.5;
/** The slowest tenth of all answers, of both kinds by one limit, is other work of the machine. */
const kept = 0.9;
/** So many ids of a kind, each drawn again and again: neither kind is better known to a cache. */
const people = 1_000;
const keysOfOthers = 8;

/**
 * The requests of a kind, as paths and keys. Their bytes are made before the first is sent: a uuid that is still a rope
 * of parts takes the client microseconds longer, and the service, which tidies up after an answer, is then the readier.
 */
type Kind = readonly (readonly [path: string, key: string])[];

export const timing: Section = {
  name: 'timing',
  title: `What the time of an answer tells: Welch's t of ${pairs.toLocaleString('en')} pairs in random order on one connection, without the slowest tenth`,
  async run() {
    const folder = workFolder();
    const foreign = await fill(folder.path);
    const key = await benchKey(folder.path, sampleTeamId);
    const known: string[] = [];
    for (let index = 0; index < keysOfOthers; index += 1) {
      known.push(await benchKey(folder.path, otherTeamId));
    }
    const { formatKey, newKeyParts, parseKey } = await keyFormat();
    const service = await startService(['serve', '--data', folder.path], noLimits);
    const to = (path: (id: string) => string, ids: readonly string[]): Kind =>
      ids.map((id) => [path(id), key]);
    const wrong = (keyIds: readonly string[]): Kind =>
      Array.from({ length: people }, (_, index) => {
        const { secret } = newKeyParts();
        const keyId = keyIds[index % keyIds.length] ?? '';
        return [orderPath(randomUUID()), formatKey({ keyId, secret })];
      });
    const rows = [
      ...(await compare('lab order result, absent against foreign', 404, service.baseUrl, [
        to(orderPath, absent(foreign.orders)),
        to(orderPath, foreign.orders),
      ])),
      ...(await compare('latest insurance, absent against foreign', 404, service.baseUrl, [
        to(insurancePath, absent(foreign.users)),
        to(insurancePath, foreign.users),
      ])),
      ...(await compare('unknown key against wrong secret', 401, service.baseUrl, [
        wrong(known.map(() => newKeyParts().keyId)),
        wrong(known.map((text) => parseKey(text)?.keyId ?? '')),
      ])),
    ];
    await service.stop();
    folder.remove();
    return rows;
  },
};

const orderPath = (id: string): string => `/v3/order/${id}/result`;
const insurancePath = (id: string): string => `/v2/user/${id}/insurance/latest`;

/** Puts people of two teams into the store, and gives the ids of those that are not the caller's. */
async function fill(data: string): Promise<{ orders: string[]; users: string[] }> {
  const foreign = { orders: [] as string[], users: [] as string[] };
  await command(['import', '-', '--data', data], async (stdin) => {
    for (const teamId of [sampleTeamId, otherTeamId]) {
      const kinds = ['user', 'lab_result', 'insurance'] as const;
      for (const envelope of sampleEnvelopes({ users: people, teamId, kinds })) {
        if (teamId === otherTeamId && envelope.kind === 'lab_result') {
          foreign.orders.push(envelope.order_id);
        } else if (teamId === otherTeamId && envelope.kind === 'insurance') {
          foreign.users.push(envelope.user_id);
        }
        if (!stdin.write(`${JSON.stringify(envelope)}\n`)) {
          await once(stdin, 'drain');
        }
      }
    }
    stdin.end();
  });
  return foreign;
}

const absent = (ids: readonly string[]): readonly string[] => ids.map(() => randomUUID());

async function compare(
  what: string,
  status: number,
  baseUrl: string,
  kinds: readonly [Kind, Kind],
): Promise<Row[]> {
  const connection = await OneConnection.open(baseUrl);
  const requests = kinds.map((kind) => kind.map((one) => connection.request(...one)));
  const times: [number[], number[]] = [[], []];
  for (let turn = -warmUp; Math.min(times[0].length, times[1].length) < pairs; turn += 1) {
    const which = randomInt(2) as 0 | 1;
    const answer = await connection.send(oneOf(requests[which] ?? []));
    if (answer.status !== status) {
      throw new Error(`${what}: the service answered ${answer.status}`);
    }
    if (turn >= 0) {
      times[which].push(answer.us);
    }
  }
  connection.close();
  const limit = quantile(times.flat(), kept);
  const [a, b] = times.map((all) => momentsOf(all.filter((us) => us <= limit))) as [
    Moments,
    Moments,
  ];
  const t = Math.abs(welchT(a, b));
  return [
    { what, unit: 'µs', measured: a.mean, baseline: b.mean, ratio: a.mean / b.mean },
    {
      what: '  Welch’s t, without its sign',
      unit: '',
      measured: t,
      bound: `less than ${certain}`,
      kept: t < certain,
    },
  ];
}

function oneOf(requests: readonly Buffer[]): Buffer {
  const request = requests[randomInt(requests.length)];
  if (request === undefined) {
    throw new Error('there is no request of this kind');
  }
  return request;
}

interface Moments {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

function momentsOf(values: readonly number[]): Moments {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count: values.length, mean, variance: squares / (values.length - 1) };
}

/** How many standard errors two means are apart, without supposing that they vary alike. */
function welchT(a: Moments, b: Moments): number {
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

/** The built service's own. */
interface KeyFormat {
  readonly newKeyParts: () => { keyId: string; secret: string };
  readonly formatKey: (parts: { keyId: string; secret: string }) => string;
  readonly parseKey: (text: string) => { keyId: string } | undefined;
}

async function keyFormat(): Promise<KeyFormat> {
  const built = new URL('../../../apps/service/dist/access/keys/key-format.js', import.meta.url);
  return (await import(built.href)) as KeyFormat;
}
