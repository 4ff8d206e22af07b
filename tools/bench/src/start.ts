import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median, type Section } from './measure.ts';
import { startService } from './service.ts';

const rounds = 5;

export const start: Section = {
  name: 'start',
  title: 'From the command to ready, demo data made and imported',
  async run() {
    const ready: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const service = await startService(['demo']);
      ready.push(service.readyAfterMs);
      await service.stop();
      bare.push(await bareNode());
    }
    return [
      {
        what: 'caregate demo to ready (baseline: an empty Node program)',
        unit: 'ms',
        measured: median(ready),
        baseline: median(bare),
        ratio: median(ready) / median(bare),
      },
    ];
  },
};

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - began;
}
