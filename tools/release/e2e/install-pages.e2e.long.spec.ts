import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeDeb } from '../src/deb.ts';
import { makeDesktopDeb } from '../src/desktop/deb.ts';
import { root } from '../src/workspace.ts';
import { canInstall, debian, dependenciesOf, has } from './debian.testing.ts';
import { provideDisplay } from './window.testing.ts';

const team = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const ports = { provider: '9443', desk: '9222' };

/** Values for the placeholders of the pages. */
const yours = { TEAM: team, ISSUER: `https://127.0.0.1:${ports.provider}`, SUBJECT: 'front-desk' };

/** Returns the code blocks of a section of a document, or those before its first section. */
function blocksOf(name: string, section?: string): string[] {
  const page = readFileSync(join(root, 'docs', name), 'utf8');
  const parts = page.split(/^## (.+)$/mu);
  const text = parts[section === undefined ? 0 : parts.indexOf(section) + 1] ?? '';
  const blocks = [...text.matchAll(/^( *)```sh\n([^]*?)```/gmu)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''),
  );
  return blocks.map((code) =>
    Object.entries(yours).reduce(
      (own, [variable, value]) =>
        own.replaceAll(new RegExp(`^${variable}=\\S+`, 'gmu'), `${variable}=${value}`),
      code,
    ),
  );
}

/** Returns the commands in code blocks, without here-documents and variables. */
function commandsIn(blocks: readonly string[]): string[] {
  return blocks.flatMap((code) =>
    code
      .replaceAll(/(<<'?END'?)\n[^]*?\nEND$/gmu, '$1')
      .replaceAll(/ \|\n/gu, ' | ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^[A-Z]+=(?!\$\()/u.test(line)),
  );
}

const install = blocksOf('install.md', 'As a Debian package');
const [certificate = '', narrow = ''] = blocksOf('install.md', 'For the whole clinic');
const [backup = ''] = blocksOf('operations.md', 'Back up');
const [restore = ''] = blocksOf('operations.md', 'Restore');
const [upgrade = '', purge = ''] = blocksOf('install.md', 'Upgrade and remove');
const firstDesk = [...blocksOf('desktop.md', 'Install a desk'), ...blocksOf('desktop.md', 'Linux')];

/** The administrator's commands on a machine with systemd. The last line reports success. */
const asAdministrator = `#!/bin/bash
set -ex
cd
node=/workspace/node_modules/node/bin/node
$node --conditions=@caregate/source /workspace/tools/release/e2e/clinic.main.ts /said ${ports.provider} ${ports.desk} &
clinic=$!
until [ -e fullchain.pem ]; do sleep 1; done
curl="curl -fsS --cacert clinic-ca.pem"
find_patient() { $curl -H "x-service-api-key: $KEY" "$1/v2/user/resolve/MRN-000101" | grep user_id; }

# The blocks of docs/install.md, operations.md and desktop.md, as they stand.
${blocksOf('install.md').join('')}
${install.join('')}
${certificate}
[ "$(sudo systemctl show caregate -p NRestarts)" = NRestarts=0 ]
${firstDesk.join('')}
wait $clinic
${backup}
# What the timer does tonight: a copy is made, one of last month is removed, one with a name of its own stays.
systemctl list-timers | grep caregate-backup.timer
sudo mkdir /var/backups/caregate/2026-01-01T02-00-00Z
sudo systemctl start caregate-backup
sudo ls /var/backups/caregate | grep "^$(date +%Y).*Z$"
sudo test ! -e /var/backups/caregate/2026-01-01T02-00-00Z
sudo test -e /var/backups/caregate/first/store.db
# Its disk is not mounted.
sudo sed -i 's,^CAREGATE_BACKUP_FOLDER=.*,CAREGATE_BACKUP_FOLDER=/mnt/backups/caregate,' /etc/caregate/caregate.env
! sudo systemctl start caregate-backup
sudo journalctl -u caregate-backup | grep '/mnt/backups/caregate does not exist. Mount its disk'
sudo mkdir /mnt/backups
sudo mount -t tmpfs tmpfs /mnt/backups
sudo install -d -o caregate -m 700 /mnt/backups/caregate
sudo systemctl start caregate-backup
sudo ls /mnt/backups/caregate | grep Z
rm dist/* && mv newer/* dist
${upgrade}
[ "$(caregate --version)" = 0.1.1 ]
user=$(find_patient https://caregate.clinic.example:8443 | sed 's/.*"user_id":"\\([^"]*\\)".*/\\1/')
sudo caregate person export --team $TEAM --user $user --format html --out /var/backups/caregate/paper.html
sudo head -n 1 /var/backups/caregate/paper.html | grep -x '<!doctype html>'
sudo rm /var/backups/caregate/paper.html
sudo rm /var/lib/caregate/data/store.db
${restore}
sudo sh -c 'ls -d /var/lib/caregate/data.replaced-*'
find_patient https://caregate.clinic.example:8443
sudo caregate doctor
${narrow}
find_patient https://caregate.clinic.example
sudo ls /mnt/other-disk/caregate | grep checkpoint
sudo caregate doctor
sudo chmod o+rx /var/lib/caregate/data
code=0; sudo caregate doctor > found || code=$?
[ $code = 2 ]
grep 'FAULT .*Other users may read /var/lib/caregate/data. Next: .*chmod 700 /var/lib/caregate/data' found
sudo chmod 700 /var/lib/caregate/data
[ -z "$(sudo find /var/lib/caregate ! -user caregate)" ]

# Service and commands have one store, wherever the settings put it.
sudo tee -a /etc/caregate/caregate.env <<'END'
CAREGATE_DATA=/var/lib/caregate/elsewhere
CAREGATE_CLINIC_NAME=Clinic # 1
CAREGATE_CHECKPOINT_COPY=
END
sudo systemctl restart caregate
$curl https://caregate.clinic.example/access/sign-in | grep 'Clinic # 1'
KEY=$(sudo caregate keys create --team $TEAM --role front_desk --label x | grep -o 'cg_live_[^ ]*')
$curl -H "x-service-api-key: $KEY" https://caregate.clinic.example/access/me

# A service that hangs is restarted, and no other.
sudo install -D -m 644 /dev/stdin /etc/systemd/system/caregate.service.d/watchdog.conf <<'END'
[Service]
WatchdogSec=3
TimeoutAbortSec=1
END
sudo systemctl daemon-reload
sudo systemctl restart caregate
sleep 10
[ "$(systemctl show caregate -p NRestarts)" = NRestarts=0 ]
sudo kill -STOP $(systemctl show caregate -p MainPID --value)
until [ "$(systemctl show caregate -p NRestarts)" = NRestarts=1 ]; do sleep 1; done
until [ "$(systemctl is-active caregate)" = active ]; do sleep 1; done
$curl -H "x-service-api-key: $KEY" https://caregate.clinic.example/access/me
sudo rm /etc/systemd/system/caregate.service.d/watchdog.conf
sudo systemctl daemon-reload
sudo systemctl restart caregate
sudo systemctl stop caregate
[ "$(systemctl show caregate -p Result)" = Result=success ]

# A wrong setting is told at once, and not tried again and again; a package that is installed then says where to look.
sudo systemctl start caregate
echo CAREGATE_PORT=none | sudo tee -a /etc/caregate/caregate.env
sudo apt install --reinstall ./dist/caregate_*.deb > installed
grep 'Caregate did not start: sudo caregate doctor says why' installed
[ "$(systemctl is-failed caregate)" = failed ]
sudo journalctl -u caregate | grep 'CAREGATE_PORT must be'
${purge}
sudo test -e /var/lib/caregate/data/store.db
[ ! -e /usr/bin/caregate ]
echo held
`;
const unitOfTest = `[Unit]
SuccessAction=poweroff
FailureAction=poweroff
[Service]
Type=oneshot
User=it
ExecStart=/usr/local/bin/administrator
StandardOutput=file:/said
StandardError=inherit
[Install]
WantedBy=multi-user.target
`;
/** Starts the test package under the release's name, with options that a release refuses. */
const desktopOfTest = (display: string): string => `#!/bin/sh
export DISPLAY=${display}
exec caregate-desktop-test --inspect=0 --remote-debugging-port=${ports.desk} --lang=en-US
`;
const browserOfTest = `#!/bin/sh
echo "$1" > "$HOME/opened"
`;

it('takes at most 15 commands from the package to the first patient at a desk', () => {
  const commands = commandsIn([...install, certificate, ...firstDesk]);
  expect(commands[0]).toContain('apt install');
  expect(commands.at(-1)).toContain('caregate-desktop');
  expect(commands.length).toBeLessThanOrEqual(15);
});

(canInstall && has('systemd-nspawn') ? describe : describe.skip)('a machine with systemd', () => {
  let folder: string;
  let machine: string;
  let endDisplay: () => void;
  let booted: ChildProcess | undefined;

  beforeAll(async () => {
    endDisplay = await provideDisplay();
    folder = mkdtempSync(join(tmpdir(), 'caregate-pages-'));
    machine = join(folder, 'machine');
    const desktop = await makeDesktopDeb({ kind: 'test', into: folder });
    const tools = 'adduser,ca-certificates,curl,libnss3-tools,libstdc++6,sudo,systemd-sysv';
    const inside = debian(machine, `${tools},${dependenciesOf(desktop)}`);
    inside('useradd', '--create-home', '--shell', '/bin/bash', 'it');
    const put = (file: string, text: string | Buffer, mode = 0o644): void => {
      mkdirSync(dirname(join(machine, file)), { recursive: true });
      writeFileSync(join(machine, file), text, { mode });
    };
    put('etc/sudoers.d/it', 'it ALL=(ALL) NOPASSWD: ALL\n');
    put('etc/apt/apt.conf.d/yes', 'APT::Get::Assume-Yes "true";\n');
    put('etc/hosts', `127.0.0.1 localhost ${hostname()} caregate.clinic.example\n`);
    put('usr/local/bin/administrator', asAdministrator, 0o755);
    put('usr/local/bin/caregate-desktop', desktopOfTest(process.env['DISPLAY']!), 0o755);
    put('usr/local/bin/xdg-open', browserOfTest, 0o755);
    put('etc/systemd/system/administrator.service', unitOfTest);
    inside('systemctl', 'enable', 'administrator.service');
    const people = join(root, 'libs/sample-data/dist/main.js');
    const lines = execFileSync('node', [people, '--users', '20', '--team', team]);
    put('home/it/people.ndjson.gz', gzipSync(lines));
  });

  beforeAll(async () => {
    const home = join(machine, 'home/it');
    await makeDeb(join(home, 'dist'));
    await makeDeb(join(home, 'newer'), '0.1.1');
    const [desktop = ''] = globSync('*.deb', { cwd: folder });
    renameSync(join(folder, desktop), join(home, 'caregate-desktop_0.1.0_amd64.deb'));
    execFileSync('chroot', [machine, 'chown', '--recursive', 'it:', '/home/it']);
  });

  afterAll(() => {
    booted?.kill('SIGKILL');
    endDisplay();
    rmSync(folder, { recursive: true, force: true });
  });

  it('follows the install pages to the first patient at a desk, and back', async () => {
    booted = spawn(
      'systemd-nspawn',
      [
        ...['--quiet', '--boot', '--directory', machine, '--private-network'],
        ...['--register=no', '--keep-unit', '--console=pipe'],
        // The machine empties /tmp/.X11-unix when it starts.
        ...[`--bind-ro=${root}:/workspace`, '--bind-ro=/tmp/.X11-unix'],
      ],
      { stdio: 'ignore' },
    );
    await once(booted, 'exit');
    expect(readFileSync(join(machine, 'said'), 'utf8')).toMatch(/\nheld\n$/u);
  });
});
