import { describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;

describe('the unit of the service', () => {
  const unit = fileURLToPath(new URL('caregate.service', import.meta.url));

  (has('systemd-analyze') ? it : it.skip)('is exposed at most 2.0 by its settings', () => {
    const printed = execFileSync(
      'systemd-analyze',
      ['security', '--offline=yes', '--no-pager', unit],
      { encoding: 'utf8' },
    );
    const exposure = Number(/exposure level for \S+: ([\d.]+)/u.exec(printed)?.[1]);
    expect(exposure).toBeLessThanOrEqual(2);
  });
});
