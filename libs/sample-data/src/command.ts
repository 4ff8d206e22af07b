import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { ImportEnvelope } from '@caregate/domain';
import { awkwardEnvelopes } from './awkward/envelopes.ts';
import { sampleEnvelopes, sampleKinds, sampleTeamId, sampleUntil } from './sample-envelopes.ts';
import type { SampleKind, SampleOptions } from './sample-envelopes.ts';

const help = `Usage: caregate-sample-data [options] > FILE.ndjson

Writes import envelopes of fictional people, one a line. The same options give the same bytes.

  --users N      how many users (default 100); any number streams
  --first N      index of the first user, to make a large sample in parts (default 0)
  --seed N       another seed, other people (default 1)
  --team UUID    the team they belong to (default ${sampleTeamId})
  --until DATE   "today": YYYY-MM-DD or a date-time with offset (default ${sampleUntil})
  --kinds LIST   of ${sampleKinds.join(', ')}, with commas between (default all)
  --days N       days of mindfulness history (default 60)
  --no-cast      drawn users only, without the named cast
  --awkward      the hand-written awkward set after them (--users 0 for that set alone)
  --help         this text
`;

/** About this many characters a write: fewer, larger writes are much faster. */
const CHUNK = 1 << 16;

class UsageError extends Error {}

/** Runs the command; answers its exit code: 0 done (or the reader left), 1 failed, 2 wrong usage. */
export async function run(
  args: readonly string[],
  out: NodeJS.WritableStream,
  err: NodeJS.WritableStream,
): Promise<0 | 1 | 2> {
  try {
    const lines = linesFor(args);
    await pipeline(Readable.from(lines, { objectMode: true }), out, { end: false });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      err.write(`caregate-sample-data: ${error.message}\nTry --help.\n`);
      return 2;
    }
    // The reader, such as head, has all it wants.
    if (isBrokenPipe(error)) return 0;
    err.write(`caregate-sample-data: ${error instanceof Error ? error.message : 'failed'}\n`);
    return 1;
  }
}

function linesFor(args: readonly string[]): Iterable<string> {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        users: { type: 'string', default: '100' },
        first: { type: 'string', default: '0' },
        seed: { type: 'string', default: '1' },
        team: { type: 'string', default: sampleTeamId },
        until: { type: 'string', default: sampleUntil },
        kinds: { type: 'string', default: sampleKinds.join(',') },
        days: { type: 'string', default: '60' },
        cast: { type: 'boolean', default: true },
        awkward: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return [help];
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(values.team)) {
      throw new UsageError('--team must be a uuid in lower case');
    }
    const options: SampleOptions = {
      users: numberOf('--users', values.users),
      first: numberOf('--first', values.first),
      seed: numberOf('--seed', values.seed),
      teamId: values.team,
      until: values.until,
      kinds: kindsOf(values.kinds),
      mindfulnessDays: numberOf('--days', values.days),
      cast: values.cast,
    };
    return chunks(sampleEnvelopes(options), values.awkward ? awkwardEnvelopes(values.team) : []);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : 'wrong usage');
  }
}

function* chunks(...sets: readonly Iterable<ImportEnvelope>[]): Generator<string> {
  let text = '';
  for (const set of sets) {
    for (const envelope of set) {
      text += `${JSON.stringify(envelope)}\n`;
      if (text.length >= CHUNK) {
        yield text;
        text = '';
      }
    }
  }
  if (text !== '') yield text;
}

function numberOf(option: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw new UsageError(`${option} must be a whole number`);
  return Number(text);
}

function kindsOf(text: string): SampleKind[] {
  return text.split(',').map((word) => {
    const kind = sampleKinds.find((one) => one === word.trim());
    if (kind === undefined) {
      throw new UsageError(`--kinds knows ${sampleKinds.join(', ')}`);
    }
    return kind;
  });
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
