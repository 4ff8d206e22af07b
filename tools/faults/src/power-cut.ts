import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, copyFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { acknowledgedIn, examine, fromSource, writerChild } from './audit-parts.ts';
import { flag, report, skip, workFolder } from './command.ts';

// A power cut: the log is on an ext4 of its own in a file. The writer is stopped at a random moment and the file copied:
// the copy has what had reached the disk by then and nothing of what was only in memory. What had been acknowledged
// must be in the copy. Without syncs records must be lost, or else this test could not fail.
const cuts = flag('cuts', 20);
const controls = flag('controls', 3);
if (process.getuid?.() !== 0) {
  skip('only root may mount');
}
const syncMode = new URL('sync-mode.ts', import.meta.url).href;
const work = workFolder();
const figures: Record<string, number> = {};
let isGood = true;

for (const [mode, times] of [
  ['ON', cuts],
  ['OFF', controls],
] as const) {
  let [acknowledged, lost, broken] = [0, 0, 0];
  // A slow machine may have written all by itself when the power goes: a control is tried until it loses.
  const most = mode === 'ON' ? times : 10 * times;
  let cut = 0;
  for (; cut < most && (cut < times || lost === 0); cut += 1) {
    const outcome = await powerCut(mode, cut);
    acknowledged += outcome.acknowledged;
    lost += outcome.lost;
    broken += outcome.broken === undefined ? 0 : 1;
    if (mode === 'ON' && outcome.broken !== undefined) {
      process.stdout.write(`cut ${cut}: ${outcome.broken}\n`);
    }
  }
  figures[`${mode}: cuts`] = cut;
  figures[`${mode}: records acknowledged`] = acknowledged;
  figures[`${mode}: acknowledged without a record`] = lost;
  if (mode === 'ON') {
    figures[`${mode}: logs that did not verify`] = broken;
  }
  isGood &&= mode === 'ON' ? lost === 0 && broken === 0 && acknowledged > 0 : lost > 0;
}
report(figures, isGood);

interface Cut {
  readonly acknowledged: number;
  readonly lost: number;
  readonly broken: string | undefined;
}

async function powerCut(mode: string, cut: number): Promise<Cut> {
  const folder = join(work, `${mode}-${cut}`);
  const disk = join(folder, 'disk');
  const image = join(folder, 'image');
  mkdirSync(disk, { recursive: true });
  writeFileSync(image, '');
  truncateSync(image, 48 * 2 ** 20);
  must('mkfs.ext4', ['-q', '-F', image]);
  must('mount', ['-o', 'loop', image, disk]);
  let output = '';
  try {
    const child = spawn(process.execPath, [...fromSource, writerChild, disk, String(cut)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Not by a flag: threads take it from here alone.
      env: { ...process.env, NODE_OPTIONS: `--import=${syncMode}`, FAULTS_SYNC: mode },
    });
    const closed = once(child, 'close');
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    while (!/^\d/mu.test(output)) {
      await wait(10);
    }
    await wait(Math.random() * 500);
    child.kill('SIGSTOP');
    await wait(50);
    copyFileSync(image, `${image}.cut`);
    child.kill('SIGKILL');
    await closed;
  } finally {
    must('umount', [disk]);
  }
  must('mount', ['-o', 'loop', `${image}.cut`, disk]);
  const found = join(folder, 'found');
  try {
    cpSync(disk, found, { recursive: true });
  } finally {
    must('umount', [disk]);
  }
  const acknowledged = acknowledgedIn(output);
  const outcome = await examine(found, acknowledged);
  rmSync(folder, { recursive: true });
  return { acknowledged: acknowledged.size, lost: outcome.lost, broken: outcome.broken };
}

function must(command: string, arguments_: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, arguments_, { encoding: 'utf8' });
  if (status !== 0) {
    skip(`${command} cannot be used here: ${error?.message ?? stderr.trim()}`);
  }
}
