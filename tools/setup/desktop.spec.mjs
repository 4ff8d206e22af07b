import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enrolBeside } from './running-demo.mjs';

const isLinux = process.platform === 'linux';

describe('npm run desktop', () => {
  (isLinux ? it : it.skip)(
    'says in one sentence that there is no display, and does no more',
    () => {
      const { DISPLAY: _x, WAYLAND_DISPLAY: _w, ...env } = process.env;
      const script = join(import.meta.dirname, 'desktop.mjs');
      const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
        env,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toBe('There is no display to open the desktop on (DISPLAY is not set).\n');
    },
  );

  it('finds no demo where none runs, or where it was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-'));
    const [from, to] = [join(folder, 'demo.json'), join(folder, 'ready.json')];
    expect(await enrolBeside(from, to)).toBe(false);
    writeFileSync(from, '{"base_url":"http://127.0.0.1:1"}');
    expect(await enrolBeside(from, to)).toBe(false);
    expect(readdirSync(folder)).toEqual(['demo.json']);
    rmSync(folder, { recursive: true });
  });
});
