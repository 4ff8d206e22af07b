import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { inFolder } from './testing/audit-text.testing.ts';

const cwd = resolve(import.meta.dirname, '..');

it('runs the example of the README', async () => {
  await inFolder((folder) => {
    const readme = readFileSync(join(cwd, 'README.md'), 'utf8');
    const [, input = ''] = /```js\n(.*?)```/su.exec(readme) ?? [];
    const flags = ['--conditions=@caregate/source', '--input-type=module'];
    const printed = execFileSync(process.execPath, [...flags, '-', join(folder, 'log')], {
      ...{ cwd, input, encoding: 'utf8' },
    });
    expect(printed).toBe('2 records verified\n1 openDoor by amara, proved with 1 hash\n');
  });
});
