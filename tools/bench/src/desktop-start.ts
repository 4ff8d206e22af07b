import { setTimeout as wait } from 'node:timers/promises';
import { launch, memoryOf, runsAlready, type App } from './desktop-runtime.ts';
import { atMost, median, quantile, type Row } from './measure.ts';

const launches = 20;
const warmUps = 2;
const idleRounds = 3;
const idleAfterMs = 10_000;

/** Goals 1 and 2: both apps launched in turns; what they take once nothing has happened for ten seconds. */
export async function startAndIdle(
  executable: string,
  desktop: App,
  shell: App,
): Promise<readonly Row[]> {
  const starts: { desktop: number[]; shell: number[] } = { desktop: [], shell: [] };
  for (let turn = -warmUps; turn < launches; turn += 1) {
    const took = {
      desktop: await startOf(executable, desktop),
      shell: await startOf(executable, shell),
    };
    if (turn >= 0) {
      starts.desktop.push(took.desktop);
      starts.shell.push(took.shell);
    }
  }
  const idle: { desktop: number[]; shell: number[] } = { desktop: [], shell: [] };
  for (let round = 0; round < idleRounds; round += 1) {
    idle.desktop.push(await idleOf(executable, desktop));
    idle.shell.push(await idleOf(executable, shell));
  }
  const p50 = { desktop: median(starts.desktop), shell: median(starts.shell) };
  return [
    {
      what: 'spawn to usable sign-in, p50 (baseline: the bare shell)',
      unit: 'ms',
      measured: p50.desktop,
      baseline: p50.shell,
      ratio: p50.desktop / p50.shell,
    },
    atMost(
      `spawn to usable sign-in, p95 of ${launches}`,
      'ms',
      quantile(starts.desktop, 0.95),
      quantile(starts.shell, 0.95),
      1.25,
    ),
    atMost('idle memory, all processes', 'MB', median(idle.desktop), median(idle.shell), 1.3),
  ];
}

async function startOf(executable: string, app: App): Promise<number> {
  const { usableAfterMs, stop } = await launch(executable, app);
  await stop();
  return usableAfterMs;
}

async function idleOf(executable: string, app: App): Promise<number> {
  if (runsAlready(executable)) {
    console.log('Another program runs the same Electron: idle memory is too low.');
  }
  const { pid, stop } = await launch(executable, app);
  await wait(idleAfterMs);
  const memory = memoryOf(pid);
  await stop();
  return memory;
}
