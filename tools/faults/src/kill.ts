import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { acknowledgedIn, examine, fromSource, writerChild } from './audit-parts.ts';
import { flag, report, workFolder } from './command.ts';

// kill -9 at random moments: what was acknowledged must be in the log, and the log must verify. The log is a new one
// every 25 cycles, so that its verification stays short; `--cycles` says how many in all.
const cycles = flag('cycles', 500);
const cyclesPerLog = 25;
const work = workFolder();
const totals = { acknowledged: 0, lost: 0, broken: 0, beforeFirst: 0 };

for (let first = 0; first < cycles; first += cyclesPerLog) {
  const folder = join(work, String(first));
  mkdirSync(folder);
  const acknowledged = new Map<number, string>();
  let checkpoint: string | undefined;
  for (let cycle = first; cycle < Math.min(first + cyclesPerLog, cycles); cycle += 1) {
    const output = await killedRun(folder, cycle);
    totals.beforeFirst += output.size === 0 ? 1 : 0;
    output.forEach((id, seq) => acknowledged.set(seq, id));
    const outcome = await examine(folder, acknowledged, checkpoint);
    totals.lost += outcome.lost;
    if (outcome.broken !== undefined && acknowledged.size > 0) {
      totals.broken += 1;
      process.stdout.write(`cycle ${cycle}: ${outcome.broken}\n`);
    }
    checkpoint = outcome.checkpoint ?? checkpoint;
  }
  totals.acknowledged += acknowledged.size;
  rmSync(folder, { recursive: true });
}
report(
  {
    cycles,
    'killed before the first record': totals.beforeFirst,
    'records acknowledged': totals.acknowledged,
    'acknowledged without a record': totals.lost,
    'logs that did not verify': totals.broken,
  },
  totals.lost === 0 && totals.broken === 0 && totals.acknowledged > cycles,
);

async function killedRun(folder: string, cycle: number): Promise<Map<number, string>> {
  const child = spawn(process.execPath, [...fromSource, writerChild, folder, String(cycle)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const kill = (): void => {
    setTimeout(() => child.kill('SIGKILL'), Math.random() * 100);
  };
  // One in ten while it still opens the log and verifies its tail.
  if (cycle % 10 === 9) {
    setTimeout(kill, 150 + Math.random() * 100);
  }
  child.stdout.on('data', (chunk: Buffer) => {
    const isFirst = acknowledgedIn(output).size === 0;
    output += chunk.toString();
    if (cycle % 10 !== 9 && isFirst && acknowledgedIn(output).size > 0) {
      kill();
    }
  });
  await once(child, 'close');
  return acknowledgedIn(output);
}
