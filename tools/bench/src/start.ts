import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, within, type Row, type Section } from './measure.ts';
import { startService, workFolder } from './service.ts';

const rounds = 5;
const mostMs = 400;
const packager = fileURLToPath(new URL('../../release/src/main.ts', import.meta.url));

export const start: Section = {
  name: 'start',
  title:
    'From the command to ready: demo data made and imported; the bundled service on a store that exists',
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
      await bundledServe(),
    ];
  },
};

/** The service as it is packaged, with its own Node. */
async function bundledServe(): Promise<Row> {
  const folder = workFolder();
  const [bundle, data] = [join(folder.path, 'bundle'), join(folder.path, 'data')];
  await promisify(execFile)(process.execPath, [packager, 'bundle', bundle]);
  const program = [join(bundle, 'bin/node'), join(bundle, 'dist/cli/main.js')] as const;
  await (await startService(['demo', '--data', data])).stop();
  const ready: number[] = [];
  // The first finds its files on the disk, perhaps.
  for (let round = -1; round < rounds; round += 1) {
    const service = await startService(['serve', '--data', data], {}, 0, program);
    ready.push(...(round < 0 ? [] : [service.readyAfterMs]));
    await service.stop();
  }
  folder.remove();
  const what = 'caregate serve on an existing store to ready, bundled';
  return within(what, 'ms', mostMs, median(ready));
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - began;
}
