import { expect } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inFolder } from './audit-text.testing.ts';
import { appendTo, readOperations, verifyPlace } from './log-place.testing.ts';

const child = fileURLToPath(new URL('./appending-child.testing.ts', import.meta.url));

/**
 * Kills an appending process again and again. Each acknowledged record must be in the log once, and the log must
 * verify.
 */
export async function playKillRounds(count: number): Promise<void> {
  await inFolder(async (dataDir) => {
    const answered: string[] = [];
    for (let round = 0; round < count; round += 1) {
      const words = ['--conditions=@caregate/source', child, dataDir, String(round)];
      const appending = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
      let text = '';
      appending.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      await once(appending.stdout, 'data');
      await new Promise((resolve) => {
        setTimeout(resolve, ((seed % 997) * (round + 1)) % 150);
      });
      appending.kill('SIGKILL');
      await once(appending, 'close');
      answered.push(...text.split('\n').slice(0, -1));
      if (round % 20 === 0 || round === count - 1) {
        await verifyPlace(
          { dataDir },
          { checkpoints: [(await appendTo({ dataDir }, [])).checkpoint] },
        );
      }
    }
    const operations = await readOperations({ dataDir });
    const stored = new Set(operations);
    expect(operations).toHaveLength(stored.size);
    expect(answered.filter((operation) => !stored.has(operation))).toEqual([]);
    expect(answered.length).toBeGreaterThanOrEqual(count);
  });
}
