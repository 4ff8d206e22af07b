import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { executableIn, packFolder } from '../src/desktop/pack.ts';
import { developmentKey } from '../src/desktop/update-keys.ts';
import { root } from '../src/workspace.ts';
import { signInFirst, startDemoClinic } from './demo-clinic.testing.ts';
import type { DemoClinic } from './demo-clinic.testing.ts';
import { openWindow, provideDisplay } from './window.testing.ts';

const desktop = join(root, 'apps/desktop');
const packageName = 'caregate-desktop_1.1.0_linux_x86_64.AppImage';

let folder: string;
let endDisplay: () => void;
let clinic: DemoClinic;
let server: Server;
let address: string;
/** What the static server has. */
let published: string;
/** What stands in for the AppImage, whose tool is a download: a file that is replaced as a whole, and starts the program. */
let installed: string;
const launchers: Record<string, string> = {};

beforeAll(async () => {
  endDisplay = await provideDisplay();
  folder = mkdtempSync(join(tmpdir(), 'caregate-updates-'));
  for (const version of ['1.0.0', '1.1.0']) {
    const packed = await packFolder({ kind: 'test', into: join(folder, version), version });
    launchers[version] = launcherOf(executableIn(packed, 'test'));
  }
  installed = join(folder, 'Caregate.AppImage');
  writeFileSync(installed, launchers['1.0.0']!, { mode: 0o755 });
  published = join(folder, 'published');
  mkdirSync(published);
  server = createServer((request, response) => {
    const file = createReadStream(join(published, basename(request.url ?? '')));
    file.once('error', () => response.writeHead(404).end());
    file.pipe(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  clinic = await startDemoClinic(folder);
});

afterAll(async () => {
  await clinic.end();
  server.closeAllConnections();
  server.close();
  endDisplay();
  rmSync(folder, { recursive: true, force: true });
});

/** As an AppImage's own start: after an installation it is asked to end at once. */
function launcherOf(executable: string): string {
  return `#!/bin/sh\n[ -n "$APPIMAGE_EXIT_AFTER_INSTALL" ] && exit 0\nexec '${executable}' "$@"\n`;
}

/** Publishes a version by the release key's own command. */
function publish(version: string, key: KeyObject = developmentKey()): void {
  const name = packageName.replace('1.1.0', version);
  writeFileSync(join(published, name), launchers['1.1.0']!);
  const keyFile = join(folder, 'key.pem');
  writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }));
  const words = [join(desktop, 'build/update/sign.ts'), keyFile, 'stable', '100', '30', name];
  execFileSync(process.execPath, ['--conditions=@caregate/source', ...words], { cwd: published });
}

const start = (userData: string): ReturnType<typeof openWindow> =>
  openWindow([installed, `--user-data-dir=${userData}`], {
    ...clinic.env,
    APPIMAGE: installed,
    XDG_CACHE_HOME: join(folder, 'cache'),
  });

type Texts = Readonly<Record<string, string>>;
const textsOf = (language: string): Texts =>
  JSON.parse(readFileSync(join(desktop, `src/renderer/i18n/${language}.json`), 'utf8')) as Texts;

async function change(page: Page, settings: Readonly<Record<string, string>>): Promise<void> {
  const saved = await page.evaluate(async (changed) => {
    const { caregate } = globalThis as unknown as { caregate: Record<string, Call> };
    type Call = (request: unknown) => Promise<{ ok: boolean; value: object }>;
    const before = await caregate['settings']!({});
    return (await caregate['saveSettings']!({ ...before.value, ...changed })).ok;
  }, settings);
  expect(saved).toBe(true);
}

/** Asks now, and waits for the sentence, in each of the languages. */
async function says(page: Page, kind: string, values: Texts): Promise<void> {
  await page.getByRole('button', { name: textsOf('en')['update.ask']!, exact: true }).click();
  for (const language of ['en', 'es', 'ar', 'en']) {
    await change(page, { language });
    const sentence = textsOf(language)[`update.${kind}`]!.replaceAll(
      /\{(\w+)\}/gu,
      (_, name: string) => values[name]!,
    );
    await page.getByText(sentence, { exact: true }).waitFor();
  }
}

describe('an update of the desktop', () => {
  it('comes from a static server by a signed manifest alone, never while somebody is signed in, and at the end', async () => {
    const userData = join(folder, 'data');
    mkdirSync(userData);
    writeFileSync(join(userData, 'settings.json'), JSON.stringify({ updateAddress: address }));
    const first = await start(userData);
    const { page } = first;
    await page.getByText('1.0.0-test').waitFor();
    await signInFirst(page, clinic.service);
    await page.locator('footer button[aria-haspopup=menu]').click();
    await page.getByRole('menuitem', { name: 'About', exact: true }).click();
    await page.getByText(textsOf('en')['update.development']!, { exact: true }).waitFor();

    await says(page, 'unreachable', {});
    publish('1.1.0', generateKeyPairSync('ed25519').privateKey);
    await says(page, 'unsigned', {});
    publish('0.9.0');
    await says(page, 'older', { version: '0.9.0' });
    publish('1.1.0');
    writeFileSync(join(published, packageName), launchers['1.1.0']!.replace('exec', 'EXEC'));
    await says(page, 'wrongFile', { version: '1.1.0' });
    publish('1.1.0');
    await change(page, { updateHold: '1.0.9' });
    await says(page, 'held', { version: '1.1.0', hold: '1.0.9' });
    await change(page, { updateHold: '', updateChannel: 'off' });
    await says(page, 'off', {});
    await change(page, { updateChannel: 'stable' });
    await says(page, 'waiting', { version: '1.1.0' });
    // Somebody is signed in: it waits.
    expect(readFileSync(installed, 'utf8')).toBe(launchers['1.0.0']);

    const ended = once(first.child, 'exit');
    await page.close();
    await ended;
    expect(readFileSync(installed, 'utf8')).toBe(launchers['1.1.0']);

    const second = await start(userData);
    await second.page.getByText('1.1.0-test').waitFor();
    await second.close();
  });
});
