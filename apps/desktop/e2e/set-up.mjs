import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideRuntime } from './runtime.mjs';

export default async function setUp({ maxWorkers }) {
  process.env.DESKTOP_PROCESSES = join(mkdtempSync(join(tmpdir(), 'caregate-e2e-')), 'processes');
  writeFileSync(process.env.DESKTOP_PROCESSES, '');
  globalThis.endDisplay = await provideRuntime(maxWorkers);
}
