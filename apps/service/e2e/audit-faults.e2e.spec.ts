import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Short forms of the commands that break the audit log's disk; their long forms are run by hand. */
describe('the audit log on a failing disk', () => {
  it.each([
    ['inject.ts', '--calls', '200', '--step', '199'],
    ['power-cut.ts', '--cuts', '1', '--controls', '1'],
  ])('loses no acknowledged record: %s', (command, ...flags) => {
    const file = fileURLToPath(new URL(`../../../tools/faults/src/${command}`, import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, [file, ...flags], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/(?:OK|SKIPPED: .*)\n$/u),
    });
  });
});
