import { setTimeout as wait } from 'node:timers/promises';
import { launch, memoryOf, type App } from './runtime.ts';
import { atMost, median, quantile, type Row } from '../measure.ts';

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
  const memory: { desktop: number; shell: number }[] = [];
  for (let round = 0; round < idleRounds; round += 1) {
    memory.push(await idle(executable, desktop, shell));
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
    atMost(
      'idle memory, all processes (both open at once)',
      'MB',
      median(memory.map((one) => one.desktop)),
      median(memory.map((one) => one.shell)),
      1.3,
    ),
  ];
}

async function startOf(executable: string, app: App): Promise<number> {
  const { usableAfterMs, stop } = await launch(executable, app);
  await stop();
  return usableAfterMs;
}

/** Both open beside each other, so that whatever else maps Electron takes the same share of both. */
async function idle(
  executable: string,
  desktop: App,
  shell: App,
): Promise<{ desktop: number; shell: number }> {
  const launched = [await launch(executable, desktop), await launch(executable, shell)] as const;
  await wait(idleAfterMs);
  const [ours, bare] = launched.map(({ pid }) => memoryOf(pid));
  for (const { stop } of launched) await stop();
  return { desktop: ours ?? 0, shell: bare ?? 0 };
}
