import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { acknowledgedIn, examine, fromSource, writerChild } from './audit-parts.ts';
import { flag, report, skip, workFolder } from './command.ts';

// Failing disks: EIO and ENOSPC on each of the first `--calls` write and sync calls of the writer's thread, once and
// from then on, and a disk of 2 MB that fills up. Nothing may be acknowledged that is not in the log, and the log must
// verify afterwards.
const calls = flag('calls', 200);
// More than 1 leaves calls out, for a short run; odd, so that both kinds of failure get their turn.
const step = flag('step', 1);
const traced = 'pwrite64,fsync,fdatasync,ftruncate';
if (spawnSync('strace', ['-e', 'inject=fsync:error=EIO:when=99', 'true']).status !== 0) {
  skip('strace is missing or may not trace here');
}

const work = workFolder();
const totals = { runs: 0, acknowledged: 0, refused: 0, lost: 0, broken: 0 };
for (const error of ['EIO', 'ENOSPC']) {
  for (let call = 1; call <= calls; call += step) {
    // Every other one stays: a disk that is full, or gone.
    const when = call % 2 === 0 ? `${call}+` : String(call);
    const folder = join(work, `${error}-${call}`);
    mkdirSync(folder);
    const inject = `inject=${traced}:error=${error}:when=${when}`;
    const flags = ['-f', '-o', '/dev/null', '-e', `trace=${traced}`, '-e', inject];
    const child = [...fromSource, writerChild, folder, '0', '12'];
    const told = await run('strace', [...flags, process.execPath, ...child]);
    await count(`${error} at call ${when}`, folder, told);
    rmSync(folder, { recursive: true });
  }
}
const isRoot = process.getuid?.() === 0;
if (isRoot) {
  await fullDisk();
}
report(
  {
    runs: totals.runs,
    'full disk of 2 MB': isRoot ? 'tried' : 'skipped, not root',
    'records acknowledged': totals.acknowledged,
    'records refused': totals.refused,
    'acknowledged without a record': totals.lost,
    'logs that did not verify': totals.broken,
  },
  totals.lost === 0 && totals.broken === 0 && totals.acknowledged > 0 && totals.refused > 0,
);

async function fullDisk(): Promise<void> {
  const disk = join(work, 'disk');
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]).status !== 0) {
    return;
  }
  try {
    const told = await run(process.execPath, [...fromSource, writerChild, disk, '0', '3000']);
    const copy = join(work, 'disk-copy');
    cpSync(disk, copy, { recursive: true });
    await count('full disk', copy, told);
  } finally {
    spawnSync('umount', [disk]);
  }
}

async function run(command: string, arguments_: readonly string[]): Promise<string> {
  const child = spawn(command, arguments_, {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
  });
  let told = '';
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
  await once(child, 'close');
  return told;
}

async function count(what: string, folder: string, told: string): Promise<void> {
  const acknowledged = acknowledgedIn(told);
  const outcome = await examine(folder, acknowledged);
  totals.runs += 1;
  totals.acknowledged += acknowledged.size;
  totals.refused += [...told.matchAll(/^refused /gmu)].length;
  totals.lost += outcome.lost;
  if (outcome.lost > 0 || outcome.broken !== undefined) {
    totals.broken += outcome.broken === undefined ? 0 : 1;
    process.stdout.write(`${what}: lost ${outcome.lost}, ${outcome.broken ?? 'verifies'}\n`);
  }
}
