import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Row, Section } from './measure.ts';
import { command, workFolder } from './service.ts';

const users = 20_000;

export const imports: Section = {
  name: 'imports',
  title: 'Import of a file of everything, against reading and JSON.parse of the same lines',
  async run() {
    const folder = workFolder();
    const file = join(folder.path, 'sample.ndjson');
    const counted = { lines: 0, points: 0 };
    await pipeline(Readable.from(lines(counted)), createWriteStream(file));
    const parsed = await seconds(() => parseOnly(file));
    const imported = await seconds(() =>
      command(['import', file, '--data', join(folder.path, 'data')]),
    );
    const again = await seconds(() =>
      command(['import', file, '--data', join(folder.path, 'data')]),
    );
    folder.remove();
    const row = (what: string, count: number, took: number): Row => ({
      what,
      unit: '/s',
      measured: count / took,
      baseline: count / parsed,
      ratio: parsed / took,
    });
    return [
      row('lines imported', counted.lines, imported),
      row('points among them', counted.points, imported),
      row('lines of the same file imported again', counted.lines, again),
    ];
  },
};

function* lines(counted: { lines: number; points: number }): Generator<string> {
  for (const envelope of sampleEnvelopes({ users, teamId: sampleTeamId })) {
    counted.lines += 1;
    counted.points += envelope.kind === 'mindfulness_minutes' ? envelope.data.length : 0;
    yield `${JSON.stringify(envelope)}\n`;
  }
}

async function parseOnly(file: string): Promise<void> {
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    JSON.parse(line);
  }
}

async function seconds(body: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await body();
  return (performance.now() - began) / 1000;
}
