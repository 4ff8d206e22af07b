import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LogReader, nodeDisk, parseVerifierKey, verifyFolder } from '@caregate/audit-log';
import { bodiesIn } from '@caregate/audit-log/testing';

const child = fileURLToPath(new URL('audit-writer-child.ts', import.meta.url));
const cycles = 10;
/** On a slow disk many kills come before the first record is told. */
const mostCycles = 200;

describe('the audit log, its process killed at random moments', () => {
  it(`has every acknowledged record after each of ${String(cycles)} kills or more, and verifies`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-kill-'));
    try {
      const acknowledged = new Map<number, string>();
      let outside: string | undefined;
      const isEnough = (cycle: number): boolean => cycle >= cycles && acknowledged.size > cycles;
      for (let cycle = 0; !isEnough(cycle) && cycle < mostCycles; cycle += 1) {
        for (const [seq, requestId] of await killedRun(folder, cycle)) {
          acknowledged.set(seq, requestId);
        }
        const ids = bodiesIn(folder).map(({ request_id }) => request_id);
        const lost = [...acknowledged].filter(([seq, id]) => ids[seq] !== id);
        expect(lost).toEqual([]);
        const reader = new LogReader(nodeDisk, folder);
        const key = parseVerifierKey(reader.identity().verifierKey);
        // A kill may leave a group that is not whole: the next start keeps it aside.
        const terms = { key, isLive: true, ...(outside !== undefined && { outside }) };
        await verifyFolder(nodeDisk, folder, terms);
        outside = reader.checkpoint();
        reader.close();
      }
      expect(acknowledged.size).toBeGreaterThan(cycles);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** What one run was told is on disk before it was killed. */
async function killedRun(folder: string, cycle: number): Promise<[number, string][]> {
  const writer = spawn(
    process.execPath,
    ['--conditions=@caregate/source', child, folder, String(cycle)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let told = '';
  writer.stdout.on('data', (chunk: Buffer) => {
    if (told === '') {
      setTimeout(() => writer.kill('SIGKILL'), Math.random() * 200);
    }
    told += chunk.toString();
  });
  const [, signal] = (await once(writer, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  return [...told.matchAll(/^(\d+) (\S+)\n/gmu)].map(([, seq, id]) => [Number(seq), String(id)]);
}
