import { LogReader, NoAuditLogError, verifyFolder, VerifierKey } from '@caregate/audit-log';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { flag, report, skip } from './command.ts';

// The log is on an ext4 in a file, copied at a random moment: the copy lacks what was only in memory. Without syncs
// records must be lost, or else this test could not fail.
const cuts = flag('cuts', 20);
const controls = flag('controls', 3);
if (process.getuid?.() !== 0) {
  skip('only root may mount');
}
const syncMode = new URL('sync-mode.ts', import.meta.url).href;
const writerChild = fileURLToPath(
  new URL('../../../apps/service/e2e/audit-writer-child.ts', import.meta.url),
);
const work = fs.mkdtempSync(join(tmpdir(), 'caregate-faults-'));
process.on('exit', () => {
  fs.rmSync(work, { recursive: true, force: true });
});
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

interface Found {
  readonly lost: number;
  readonly broken: string | undefined;
}

async function powerCut(
  mode: string,
  cut: number,
): Promise<Found & { readonly acknowledged: number }> {
  const folder = join(work, `${mode}-${cut}`);
  const disk = join(folder, 'disk');
  const image = join(folder, 'image');
  fs.mkdirSync(disk, { recursive: true });
  fs.writeFileSync(image, '');
  fs.truncateSync(image, 48 * 2 ** 20);
  must('mkfs.ext4', ['-q', '-F', image]);
  must('mount', ['-o', 'loop', image, disk]);
  let output = '';
  try {
    const child = spawn(
      process.execPath,
      ['--conditions=@caregate/source', writerChild, disk, String(cut)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        // Not by a flag: threads take it from here alone.
        env: { ...process.env, NODE_OPTIONS: `--import=${syncMode}`, FAULTS_SYNC: mode },
      },
    );
    const closed = once(child, 'close');
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    while (!/^\d/mu.test(output)) {
      await wait(10);
    }
    await wait(Math.random() * 500);
    child.kill('SIGSTOP');
    await wait(50);
    fs.copyFileSync(image, `${image}.cut`);
    child.kill('SIGKILL');
    await closed;
  } finally {
    must('umount', [disk]);
  }
  must('mount', ['-o', 'loop', `${image}.cut`, disk]);
  const found = join(folder, 'found');
  try {
    fs.cpSync(disk, found, { recursive: true });
  } finally {
    must('umount', [disk]);
  }
  const lines = output.matchAll(/^(\d+) (\S+)\n/gmu);
  const acknowledged = new Map([...lines].map(([, seq, id]) => [Number(seq), String(id)]));
  const outcome = await examine(found, acknowledged);
  fs.rmSync(folder, { recursive: true });
  return { acknowledged: acknowledged.size, ...outcome };
}

async function examine(folder: string, acknowledged: ReadonlyMap<number, string>): Promise<Found> {
  try {
    LogReader.lock(folder, undefined)?.close();
    const reader = LogReader.open(folder);
    const found = new Map<number, Buffer>();
    for (const item of reader.read(0, reader.size())) {
      if ('entry' in item) {
        found.set(item.seq, Buffer.from(item.entry));
      }
    }
    const key = VerifierKey.parse(reader.identity().verifierKey);
    reader.close();
    await verifyFolder(folder, { key });
    const lost = [...acknowledged].filter(
      ([seq, id]) => found.get(seq)?.includes(`"request_id":"${id}"`) !== true,
    );
    return { lost: lost.length, broken: undefined };
  } catch (error) {
    const isNone = error instanceof NoAuditLogError;
    const said = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    return { lost: acknowledged.size, broken: isNone ? undefined : said };
  }
}

function must(command: string, arguments_: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, arguments_, { encoding: 'utf8' });
  if (status !== 0) {
    skip(`${command} cannot be used here: ${error?.message ?? stderr.trim()}`);
  }
}
