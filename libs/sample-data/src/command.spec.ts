import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { run } from './command.ts';
import { sampleEnvelopes } from './sample-envelopes.ts';

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    // A reader slower than the writer.
    setImmediate(done);
  }
}

async function runWith(...args: string[]) {
  const out = new Collector();
  const err = new Collector();
  const code = await run(args, out, err);
  return { code, out: out.text, err: err.text };
}

describe('caregate-sample-data', () => {
  it('writes the sample, one envelope a line', async () => {
    const { code, out } = await runWith('--users', '30', '--seed', '7', '--days', '5');
    const wanted = [...sampleEnvelopes({ users: 30, seed: 7, mindfulnessDays: 5 })];
    expect(code).toBe(0);
    expect(out).toBe(wanted.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  });

  it.each([
    ['--users', 'many'],
    ['--users', '-3'],
    ['--kinds', 'user,pets'],
    ['--team', 'mine'],
    ['--until', 'soon'],
    ['--bogus', '1'],
  ])('refuses %s %s with exit code 2 and a plain line', async (option, value) => {
    const { code, out, err } = await runWith(`${option}=${value}`);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^caregate-sample-data: .+\nTry --help\.\n$/s);
  });
});
