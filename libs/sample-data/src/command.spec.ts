import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { run } from './command.ts';
import { sampleEnvelopes } from './sample-envelopes.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

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

  it('streams: more than fits into its memory, to a slow reader', async () => {
    const limit = '--max-old-space-size=40';
    const child = spawn(process.execPath, [limit, main, '--users', '100000', '--kinds', 'user']);
    let lines = 0;
    let bytes = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      for (const byte of chunk) if (byte === 10) lines += 1;
      if (bytes < 5_000_000) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(lines).toBe(100_000);
    expect(bytes).toBeGreaterThan(50_000_000);
  });
});
