import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The short form of the command; its long form is run by hand. */
describe('the audit log on a failing disk', () => {
  it('loses no acknowledged record when the power is cut', () => {
    const file = fileURLToPath(new URL('../../../tools/faults/src/power-cut.ts', import.meta.url));
    const flags = ['--cuts', '1', '--controls', '1'];
    const { status, stdout } = spawnSync(process.execPath, [file, ...flags], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/(?:OK|SKIPPED: .*)\n$/u),
    });
  });
});
