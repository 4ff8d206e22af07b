import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeImage } from '../src/image.ts';
import { canInstall, has } from './debian.testing.ts';
import { startProgram } from './program.testing.ts';

const canMake = canInstall && has('buildah');

interface Descriptor {
  readonly digest: string;
}
interface Config {
  readonly User: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
}

(canMake ? describe : describe.skip)('the OCI image', () => {
  let folder: string;
  /** Folder with the unpacked layers of the image. */
  let tree: string;
  let config: Config;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'caregate-image-'));
    const layout = join(folder, 'layout');
    tree = join(folder, 'tree');
    mkdirSync(layout);
    mkdirSync(tree);
    execFileSync('tar', ['-xf', await makeImage(folder), '-C', layout]);
    const json = (file: string): unknown => JSON.parse(readFileSync(join(layout, file), 'utf8'));
    const blob = ({ digest }: Descriptor): string => join('blobs', ...digest.split(':'));
    const { manifests } = json('index.json') as { manifests: [Descriptor] };
    const manifest = json(blob(manifests[0])) as { config: Descriptor; layers: Descriptor[] };
    ({ config } = json(blob(manifest.config)) as { config: Config });
    for (const layer of manifest.layers) {
      execFileSync('tar', ['-xpf', join(layout, blob(layer)), '-C', tree, '--same-owner']);
    }
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('has no shell and no program besides Node', () => {
    const programs = globSync('**/{bin,sbin}/*', { cwd: tree });
    expect(programs).toEqual(['usr/lib/caregate/bin/node']);
    const names = globSync('**/*', { cwd: tree }).map((path) => basename(path));
    expect(names.filter((name) => /^(?:a|ba|da|z)?sh$|^busybox$|^env$/u.test(name))).toEqual([]);
  });

  it('runs as its own user, on a root that cannot be written', async () => {
    expect(config.User).toBe('65532:65532');
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, 65_532, 65_532);
    const readOnly = [
      'mount --bind "$0" "$0"',
      'mount -o remount,bind,ro "$0"',
      'mount --bind "$1" "$0/data"',
      'tree=$0; shift; exec env -i $CAREGATE_ENV /usr/sbin/chroot --userspec=65532:65532 "$tree" "$@"',
    ].join(' && ');
    const settings = config.Env.filter((each) => each.startsWith('CAREGATE_')).join(' ');
    const running = await startProgram(
      [
        ...['env', `CAREGATE_ENV=${settings}`, 'unshare', '--mount', 'sh', '-c', readOnly, tree],
        ...[data, ...config.Entrypoint, ...config.Cmd],
        ...['--host', '127.0.0.1', '--port', '0', '--ready-file', '/data/ready.json'],
      ],
      join(data, 'ready.json'),
    );
    expect((await fetch(`${running.base_url}/readyz`)).status).toBe(200);
    expect(await running.end()).toBe(0);
  });
});
