import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getPinnedElectron } from '../src/workspace.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-release-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const command = fileURLToPath(new URL('../src/release.ts', import.meta.url));

function release(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [command, ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
}

describe('the release command', () => {
  (process.platform === 'linux' ? it : it.skip)(
    'makes nothing on another Electron than the pinned one',
    () => {
      writeFileSync(join(folder, 'electron'), '', { mode: 0o755 });
      const refusals = [
        [undefined, 'has no Electron'],
        ['33.2.1', `A release comes with Electron ${getPinnedElectron()}`],
      ] as const;
      for (const [version, why] of refusals) {
        if (version !== undefined) writeFileSync(join(folder, 'version'), version);
        const into = join(folder, 'out');
        const created = release(['desktop', into], { ELECTRON_OVERRIDE_DIST_PATH: folder });
        expect(created.status).toBe(1);
        expect(created.stderr).toContain(why);
        expect(existsSync(into)).toBe(false);
      }
    },
  );

  it('says what can be released', () => {
    expect(release(['everything'])).toMatchObject({
      status: 1,
      stderr: 'Say what to release: desktop.\n',
    });
  });
});
