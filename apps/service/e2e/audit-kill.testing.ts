import { expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openReaders, VerifierKey } from '@caregate/audit-log';
import { members } from '../src/audit/record/record-body.ts';
import { bodiesIn } from '../src/audit/record/records.testing.ts';

const child = fileURLToPath(new URL('audit-writer-child.ts', import.meta.url));

/** Kills a writer in each of so many rounds, each after as many told records as the seed chooses. */
export function killedRounds(rounds: number): void {
  it(`the audit log has every acknowledged record after each of ${String(rounds)} kills of its process, and verifies`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-kill-'));
    try {
      const acknowledged = new Map<number, string>();
      const kept: string[] = [];
      let first: VerifierKey | undefined;
      for (let round = 0; round < rounds; round += 1) {
        // The seed also chooses how many records are written at once.
        for (const [seq, requestId] of await killedRun(folder, seed + round, killAfter(round))) {
          acknowledged.set(seq, requestId);
        }
        const ids = new Map(bodiesIn(folder).map(({ seq, request_id: id }) => [seq, id]));
        const lost = [...acknowledged].filter(([seq, id]) => ids.get(seq) !== id);
        expect(lost).toEqual([]);
        const [reader] = await openReaders({ dataDir: folder }, members);
        first ??= VerifierKey.parse(reader?.identity.publicKey ?? '');
        const verified = await reader?.verify({ keys: [first], checkpoints: kept });
        const { checkpoint = '' } = verified ?? {};
        await reader?.close();
        kept.push(checkpoint);
      }
      expect(acknowledged.size).toBeGreaterThanOrEqual(rounds);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** From 2 on: some are killed with their first records, some after several checkpoints. */
const killAfter = (round: number): number => 2 + ((seed + round * 89) % 400);

/** What one run was told is on disk before it was killed, once that were so many records. */
async function killedRun(
  folder: string,
  run: number,
  records: number,
): Promise<[number, string][]> {
  const writer = spawn(
    process.execPath,
    ['--conditions=@caregate/source', child, folder, String(run)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let told = '';
  writer.stdout.on('data', (chunk: Buffer) => {
    told += chunk.toString();
    if (acknowledgedIn(told).length >= records) {
      writer.kill('SIGKILL');
    }
  });
  const [, signal] = (await once(writer, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  return acknowledgedIn(told);
}

const acknowledgedIn = (told: string): [number, string][] =>
  [...told.matchAll(/^(\d+) (\S+)\n/gmu)].map(([, seq, id]) => [Number(seq), String(id)]);
