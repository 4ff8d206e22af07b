import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeDeb } from '../src/deb.ts';
import { root } from '../src/workspace.ts';
import { canInstall, contentsOf, debian, digestOf, has } from './debian.testing.ts';
import { startProgram } from './program.testing.ts';

/** As an administrator does it, on a machine that runs systemd; the last line says that all of it held. */
const asAdministrator = `#!/bin/sh
set -ex
cd /root
# The blocks of docs/install.md, as they stand.
export EDITOR=true
. /install
until curl -fsS http://127.0.0.1:8080/readyz; do sleep 1; done
curl -fsS -H "x-service-api-key: $KEY" http://127.0.0.1:8080/v2/user/resolve/MRN-000101 | grep user_id
caregate completion bash | bash -n

# For desks, and with a store of its own.
cat >> /etc/caregate/caregate.env <<'END'
CAREGATE_HOST=0.0.0.0
CAREGATE_PLAIN_HTTP=yes
CAREGATE_DATA=/var/lib/caregate/elsewhere
CAREGATE_CLINIC_NAME=Clinic # 1
END
systemctl restart caregate
curl -fsS http://127.0.0.2:8080/access/sign-in | grep 'Clinic # 1'
key=$(caregate keys create --team 7c9e6679-7425-40de-944b-e07fc1f90ae7 --role front_desk --label first |
  grep -o 'cg_live_[^ ]*')
curl -fsS -H "x-service-api-key: $key" http://127.0.0.2:8080/access/me
[ -z "$(find /var/lib/caregate ! -user caregate)" ]
systemctl stop caregate
[ "$(systemctl show caregate -p Result)" = Result=success ]

# A wrong setting is told at once, and not tried again and again.
echo CAREGATE_PORT=none >> /etc/caregate/caregate.env
! systemctl start caregate
[ "$(systemctl is-failed caregate)" = failed ]
journalctl -u caregate | grep 'CAREGATE_PORT must be'
echo held
`;
const unitOfTest = `[Unit]
SuccessAction=poweroff
FailureAction=poweroff
[Service]
Type=oneshot
ExecStart=/administrator
StandardOutput=file:/said
StandardError=inherit
`;

/** The code of docs/install.md from its top on, and of one of its sections. */
function installBlocks(section: string): string {
  const page = readFileSync(join(root, 'docs/install.md'), 'utf8');
  const [top = ''] = page.split('\n## ');
  const [own = ''] = page.split(`\n## ${section}\n`).slice(1).join('').split('\n## ');
  const blocks = [top, own].flatMap((text) => text.match(/(?<=```sh\n)[^]*?(?=```)/gu) ?? []);
  expect(blocks).toHaveLength(2);
  return blocks.join('');
}

let folder: string;
let deb: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-deb-'));
  deb = has('dpkg-deb') ? await makeDeb({ into: join(folder, 'first') }) : '';
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

(has('dpkg-deb') ? describe : describe.skip)('the Debian package', () => {
  it('has the same bytes when it is made again', async () => {
    const again = await makeDeb({ into: join(folder, 'again') });
    expect(digestOf(again)).toBe(digestOf(deb));
  });

  it('belongs to root, and lets nobody else write', () => {
    contentsOf(deb);
  });

  (canInstall ? it : it.skip)(
    'installs in a clean Debian, serves as its own user, is upgraded, and keeps the data when it is purged',
    async () => {
      const newer = await makeDeb({ into: join(folder, 'newer'), version: '0.1.1' });
      const rootFs = join(folder, 'root');
      const inside = debian(rootFs, 'adduser,libstdc++6');
      const install = (file: string): string => {
        execFileSync('cp', [file, join(rootFs, 'tmp/caregate.deb')]);
        return inside('dpkg', '-i', '/tmp/caregate.deb');
      };
      expect(install(deb)).toContain('/var/lib/caregate');
      const itself = ['setpriv', '--reuid=caregate', '--regid=caregate', '--clear-groups'];
      const asItself = (...words: string[]): string => inside(...itself, ...words);
      const team = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
      const data = '/var/lib/caregate/data';
      const made = asItself(
        ...['caregate', 'keys', 'create', '--data', data],
        ...['--team', team, '--role', 'admin', '--label', 'first'],
      );
      expect(made).toMatch(/cg_live_\S+/u);
      expect(install(newer)).not.toContain('The first key');
      expect(inside('caregate', '--version')).toBe('0.1.1\n');
      expect(asItself('caregate', 'keys', 'list', '--data', data)).toContain('first');
      const ready = '/var/lib/caregate/ready.json';
      const serve = ['caregate', 'serve', '--data', data, '--port', '0', '--ready-file', ready];
      const running = await startProgram(
        ['chroot', rootFs, ...itself, ...serve],
        join(rootFs, ready),
      );
      expect((await fetch(`${running.base_url}/readyz`)).status).toBe(200);
      expect(await running.end()).toBe(0);
      expect(asItself('caregate', 'audit', 'verify', '--data', data)).toMatch(/holds|verified/iu);
      inside('dpkg', '--purge', 'caregate');
      expect(existsSync(join(rootFs, 'usr/lib/caregate'))).toBe(false);
      expect(existsSync(join(rootFs, 'etc/caregate'))).toBe(false);
      expect(existsSync(join(rootFs, data, 'audit/checkpoint'))).toBe(true);
    },
  );

  (canInstall && has('systemd-nspawn') ? it : it.skip)(
    'serves desks on a machine that runs systemd, with one store for service and commands',
    () => {
      const machine = join(folder, 'machine');
      debian(machine, 'adduser,curl,libstdc++6,sudo,systemd-sysv');
      mkdirSync(join(machine, 'root/dist'));
      execFileSync('cp', [deb, join(machine, 'root/dist')]);
      const people = join(root, 'libs/sample-data/dist/main.js');
      const team = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
      const lines = execFileSync('node', [people, '--users', '20', '--team', team]);
      writeFileSync(join(machine, 'root/people.ndjson.gz'), gzipSync(lines));
      writeFileSync(join(machine, 'install'), installBlocks('As a Debian package'));
      writeFileSync(join(machine, 'administrator'), asAdministrator, { mode: 0o755 });
      const units = join(machine, 'etc/systemd/system');
      writeFileSync(join(units, 'administrator.service'), unitOfTest);
      mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true });
      symlinkSync(
        '../administrator.service',
        join(units, 'multi-user.target.wants/administrator.service'),
      );
      const booted = spawnSync(
        'systemd-nspawn',
        [
          ...['--quiet', '--boot', '--directory', machine, '--private-network'],
          ...['--register=no', '--keep-unit', '--console=pipe'],
        ],
        { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
      );
      const file = join(machine, 'said');
      const said = existsSync(file) ? readFileSync(file, 'utf8') : booted.stdout + booted.stderr;
      expect(said).toMatch(/\nheld\n$/u);
    },
  );
});
