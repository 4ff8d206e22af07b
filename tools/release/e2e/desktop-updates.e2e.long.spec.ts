import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@caregate/certificates';
import type { Page } from 'playwright-core';
import { getExecutablePath, packFolder } from '../src/desktop/pack.ts';
import { root } from '../src/workspace.ts';
import { signInFirst, startDemoClinic } from './demo-clinic.testing.ts';
import type { DemoClinic } from './demo-clinic.testing.ts';
import { openWindow, provideDisplay } from './window.testing.ts';

const packageName = 'caregate-desktop_1.1.0_linux_x86_64.AppImage';
const texts = JSON.parse(
  readFileSync(join(root, 'apps/desktop/src/renderer/i18n/en.json'), 'utf8'),
) as Record<string, string>;

let folder: string;
let endDisplay: () => void;
let clinic: DemoClinic;
let server: Server;
/** The files of the update server, by their path. */
const published: Record<string, string> = {};
const requested: string[] = [];
/** A file that starts the program, instead of an AppImage, whose tool would be downloaded. */
let installed: string;
const launchers: Record<string, string> = {};
let command: string[];

beforeAll(async () => {
  endDisplay = await provideDisplay();
  folder = mkdtempSync(join(tmpdir(), 'caregate-updates-'));
  for (const version of ['1.0.0', '1.1.0']) {
    const packed = await packFolder({ kind: 'test', into: join(folder, version), version });
    // electron-builder writes this file for an AppImage, but not for a folder.
    writeFileSync(join(packed, 'resources/app-update.yml'), 'updaterCacheDirName: updater\n');
    launchers[version] = launcherOf(getExecutablePath(packed, 'test'));
  }
  installed = join(folder, 'Caregate.AppImage');
  writeFileSync(installed, launchers['1.0.0']!, { mode: 0o755 });

  const authority = await CertificateAuthority.create();
  const issued = await authority.issue({ names: ['127.0.0.1'] });
  server = createServer(issued, (request, response) => {
    const path = request.url?.replace(/\?.*/u, '') ?? '';
    requested.push(path);
    const file = published[path];
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const key = new X509Certificate(issued.cert).publicKey.export({ type: 'spki', format: 'der' });
  command = [
    installed,
    `--user-data-dir=${join(folder, 'data')}`,
    `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
  ];
  clinic = await startDemoClinic(folder);
});

afterAll(async () => {
  await clinic.end();
  server.closeAllConnections();
  server.close();
  endDisplay();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns a launcher that exits after the installation of an update, as an AppImage does. */
function launcherOf(executable: string): string {
  return `#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] && exit 0\nexec '${executable}' "$@"\n`;
}

/** Publishes version 1.1.0 as electron-builder would, with this content as its package. */
function publish(content: string): void {
  const sha512 = createHash('sha512').update(launchers['1.1.0']!).digest('base64');
  const file = `url: ${packageName}\n    sha512: ${sha512}\n    size: ${content.length}`;
  published['/desk/latest-linux.yml'] = `version: 1.1.0\nfiles:\n  - ${file}\n`;
  published[`/desk/${packageName}`] = content;
}

const start = (): ReturnType<typeof openWindow> =>
  openWindow(command, {
    ...clinic.env,
    APPIMAGE: installed,
    XDG_CACHE_HOME: join(folder, 'cache'),
  });

const sentence = (page: Page, kind: string): Promise<void> =>
  page.getByText(texts[`update.${kind}`]!.replace('{version}', '1.1.0'), { exact: true }).waitFor();

async function quit({ page, child }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const ended = once(child, 'exit');
  await page.close();
  await ended;
}

describe('updates of the desktop', () => {
  it('are requested from the set address only, and installed at the end if their checksum is right', async () => {
    const { port } = server.address() as AddressInfo;
    mkdirSync(join(folder, 'data'));
    const first = await start();
    await signInFirst(first.page, clinic.service);
    await first.page.locator('footer button[aria-haspopup=menu]').click();
    await first.page.getByRole('menuitem', { name: 'About', exact: true }).click();
    await sentence(first.page, 'off');
    await quit(first);
    expect(requested).toEqual([]);
    const file = join(folder, 'data/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
    const updateAddress = `https://127.0.0.1:${port}/desk`;
    writeFileSync(file, JSON.stringify({ ...settings, updateAddress }));

    publish(launchers['1.1.0']!.replace('exec', 'EXEC'));
    const second = await start();
    await sentence(second.page, 'wrongFile');
    await quit(second);
    expect(readFileSync(installed, 'utf8')).toBe(launchers['1.0.0']);

    publish(launchers['1.1.0']!);
    const third = await start();
    await sentence(third.page, 'ready');
    expect(readFileSync(installed, 'utf8')).toBe(launchers['1.0.0']);
    await quit(third);
    expect(readFileSync(installed, 'utf8')).toBe(launchers['1.1.0']);

    const fourth = await start();
    await fourth.page.getByText('1.1.0-test').waitFor();
    await fourth.close();
  });
});
