import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderForEach } from '../files/folder-for-each.testing.ts';
import { spool } from './spooler.ts';

const pdf = new Uint8Array([1, 2, 3]);
const job = { printer: 'Desk', copies: 1, media: 'A4' };
let folder: string;
folderForEach((made) => (folder = made));

/** Creates a script that stands in for the system's `lp`. */
function lpOf(script: string): string {
  const file = join(folder, 'lp');
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

(process.platform === 'win32' ? describe.skip : describe)('lp', () => {
  it.each([
    ['took it', 'exec cat > /dev/null', true],
    ['refused it', 'exit 1', false],
  ])('%s', async (_says, script, taken) => {
    expect(await spool(pdf, job, { command: lpOf(script) })).toBe(taken);
  });

  it('isn’t there', async () => {
    expect(await spool(pdf, job, { command: join(folder, 'none') })).toBeUndefined();
  });

  it('that never ends is ended at the limit', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // The pipe is open as long as this process runs.
    const command = lpOf(`exec 3> '${pipe}'; echo begun >&3; exec sleep 600`);
    const life = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(life, 'exit');
    const limit = new AbortController();
    const spooling = spool(pdf, job, { command, signal: limit.signal });
    await once(life.stdout, 'data');
    limit.abort();
    expect(await spooling).toBe(false);
    expect(await ended).toEqual([0, null]);
  });
});
