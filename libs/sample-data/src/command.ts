import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { ImportEnvelope } from '@caregate/domain';
import { edgeCaseEnvelopes } from './edge-cases.ts';
import { sampleEnvelopes, sampleKinds, sampleTeamId, sampleUntil } from './sample-envelopes.ts';
import type { SampleKind, SampleOptions } from './sample-envelopes.ts';

const help = `Usage: caregate-sample-data [options] > FILE.ndjson

Writes import envelopes of fictional people, one per line. The same options produce the same output.

  --users N      number of users (default 100); the output is streamed
  --first N      index of the first user, to create a large sample in parts (default 0)
  --seed N       random seed (default 1)
  --team UUID    the team they belong to (default ${sampleTeamId})
  --until DATE   the current date of the sample: YYYY-MM-DD or a date-time with offset (default ${sampleUntil})
  --kinds LIST   of ${sampleKinds.join(', ')}, separated by commas (default all)
  --days N       days of mindfulness history (default 60)
  --no-personas  generated users only, without the named people
  --edge-cases   append the hand-written edge cases (--users 0 for only these)
  --help         show this help
`;

/** Characters for each write. Many small writes are much slower. */
const CHUNK = 1 << 16;

/** Runs the command and returns its exit code: 0 for success or a broken pipe, 1 for a failure, 2 for a usage error. */
export async function run(
  args: readonly string[],
  out: NodeJS.WritableStream,
  err: NodeJS.WritableStream,
): Promise<0 | 1 | 2> {
  let lines: Iterable<string> | undefined;
  try {
    lines = generateLines(args);
    await pipeline(Readable.from(lines, { objectMode: true }), out, { end: false });
    return 0;
  } catch (error) {
    // The reading program, such as head, has closed the pipe.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0;
    const hint = lines === undefined ? 'Try --help.\n' : '';
    err.write(
      `caregate-sample-data: ${error instanceof Error ? error.message : 'failed'}\n${hint}`,
    );
    return lines === undefined ? 2 : 1;
  }
}

function generateLines(args: readonly string[]): Iterable<string> {
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
      personas: { type: 'boolean', default: true },
      'edge-cases': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return [help];
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(values.team)) {
    throw new Error('--team must be a lower-case UUID');
  }
  const options: SampleOptions = {
    users: parseNumber('--users', values.users),
    first: parseNumber('--first', values.first),
    seed: parseNumber('--seed', values.seed),
    teamId: values.team,
    until: values.until,
    kinds: parseKinds(values.kinds),
    mindfulnessDays: parseNumber('--days', values.days),
    personas: values.personas,
  };
  return formatChunks(
    sampleEnvelopes(options),
    values['edge-cases'] ? edgeCaseEnvelopes(values.team) : [],
  );
}

function* formatChunks(...sets: readonly Iterable<ImportEnvelope>[]): Generator<string> {
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

function parseNumber(option: string, text: string): number {
  if (!/^-?\d+$/.test(text)) throw new Error(`${option} must be a whole number`);
  return Number(text);
}

function parseKinds(text: string): SampleKind[] {
  return text.split(',').map((word) => {
    const kind = sampleKinds.find((one) => one === word.trim());
    if (kind === undefined) {
      throw new Error(`--kinds must be a list of ${sampleKinds.join(', ')}`);
    }
    return kind;
  });
}
