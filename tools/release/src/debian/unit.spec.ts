import { describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const has = (program: string): boolean => spawnSync('which', [program]).status === 0;

describe.each(['caregate.service', 'caregate-backup.service'])('the unit %s', (name) => {
  const unit = fileURLToPath(new URL(name, import.meta.url));

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

it('restarts a service whose event loop hangs', () => {
  const unit = readFileSync(new URL('caregate.service', import.meta.url), 'utf8').split('\n');
  const settings = ['Type=notify', 'NotifyAccess=all', 'WatchdogSec=30', 'Restart=on-failure'];
  expect(unit).toEqual(expect.arrayContaining(settings));
});

describe('the command of the package', () => {
  it('takes the settings of the service as they stand, the last of each, and the environment before them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-command-'));
    const settings = join(folder, 'caregate.env');
    writeFileSync(
      settings,
      `# CAREGATE_PORT=1
CAREGATE_DATA=/first
CAREGATE_DATA=/second
CAREGATE_CLINIC_NAME="Dr. O'Hara"
CAREGATE_NARROW=a b # c $(touch ${folder}/made) \\
CAREGATE_HOST=0.0.0.0
CAREGATE_OIDC_SCOPES=x=y`,
    );
    const command = readFileSync(new URL('caregate.sh', import.meta.url), 'utf8')
      .replace('/etc/caregate/caregate.env', settings)
      .replace(/^exec .*$/mu, 'env');
    const printed = execFileSync('sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], CAREGATE_HOST: '127.0.0.1' },
    });
    rmSync(folder, { recursive: true });
    expect(printed.split('\n').filter((line) => line.startsWith('CAREGATE_'))).toEqual(
      expect.arrayContaining([
        'CAREGATE_DATA=/second',
        "CAREGATE_CLINIC_NAME=Dr. O'Hara",
        `CAREGATE_NARROW=a b # c $(touch ${folder}/made) \\`,
        'CAREGATE_HOST=127.0.0.1',
        'CAREGATE_OIDC_SCOPES=x=y',
      ]),
    );
    expect(printed).not.toContain('CAREGATE_PORT');
  });
});
