import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder, eventually, launch } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { startFake } from '../support/fake-service.testing.ts';
import type { FakeService } from '../support/fake-service.testing.ts';
import { startedDesk } from '../support/started-desk.testing.ts';

let service: FakeService;
let desktop: Desktop;

startedDesk(startFake, (there) => ({ desktop, service } = there));

describe('the page', () => {
  it('has the bridge and no API of Node or Electron', async () => {
    const found = await desktop.page.evaluate(() => ({
      names: ['process', 'require', 'module', 'Buffer', 'global', 'electron', '__dirname'].filter(
        (name) => name in window,
      ),
      bridge: Object.values(window.caregate).every((one) => typeof one === 'function'),
      frozen: Object.isFrozen(window.caregate) || !Reflect.set(window, 'caregate', {}),
    }));
    expect(found).toEqual({ names: [], bridge: true, frozen: true });
  });

  it('is isolated, without Node, with web security, and sandboxed', async () => {
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const contents = window?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { contextIsolation, nodeIntegration, sandbox, webSecurity, webviewTag } =
        contents.getLastWebPreferences();
      return { contextIsolation, nodeIntegration, sandbox, webSecurity, webviewTag };
    });
    expect(preferences).toEqual({
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
      webSecurity: true,
      webviewTag: false,
    });
  });

  it('gets no permission', async () => {
    const states = await desktop.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'];
      const found = await Promise.all(
        names.map((name) => navigator.permissions.query({ name: name as PermissionName })),
      );
      return found.map(({ state }) => state);
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
  });

  it('loads nothing remote, evaluates no text, and assigns no markup', async () => {
    const refused = await desktop.page.evaluate(async (address) => {
      const told: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        told.push(event.effectiveDirective);
      });
      const tried = await Promise.all([
        fetch(`${address}/healthz`).then(
          () => 'fetched',
          () => 'refused',
        ),
        Promise.resolve().then(() => {
          try {
            document.body.insertAdjacentHTML('beforeend', '<img src=x>');
            return 'inserted';
          } catch {
            return 'refused';
          }
        }),
        // Later, and not in this very evaluation: what a debugger evaluates may use eval.
        new Promise<string>((resolve) => {
          setTimeout(() => {
            try {
              const run = globalThis['eval' as keyof typeof globalThis] as (
                code: string,
              ) => unknown;
              run('1');
              resolve('run');
            } catch {
              resolve('refused');
            }
          }, 1);
        }),
        new Promise<string>((resolve) => {
          const image = new Image();
          image.onload = () => {
            resolve('loaded');
          };
          image.onerror = () => {
            resolve('refused');
          };
          image.src = `${address}/logo.png`;
        }),
      ]);
      return { tried, told: new Set(told).size > 0 };
    }, service.address);
    expect(refused).toEqual({ tried: ['refused', 'refused', 'refused', 'refused'], told: true });
    // These were meant; what comes after isn't.
    desktop.faults.length = 0;
  });

  it('can create no Trusted Types policy and no worker', async () => {
    const tried = await desktop.page.evaluate(() => {
      const names = ['default', 'other'];
      const attempt = (act: () => unknown): string => {
        try {
          act();
          return 'made';
        } catch (error) {
          return (error as Error).name;
        }
      };
      const { trustedTypes } = window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): unknown };
      };
      return [
        ...names.map((name) => attempt(() => trustedTypes.createPolicy(name, {}))),
        attempt(() => new Worker('/index.html')),
        attempt(() => new Worker('data:text/javascript,1')),
      ];
    });
    expect(tried).toEqual(Array(4).fill('TypeError'));
    desktop.faults.length = 0;
  });

  it('finds only its own files under app://', async () => {
    const statuses = await desktop.page.evaluate(async () => {
      const paths = ['/main.js', '/..%2fmain/main.js', '/%2e%2e/main/main.js', '/index.html'];
      return Promise.all(paths.map(async (path) => (await fetch(path)).status));
    });
    expect(statuses).toEqual([404, 404, 404, 200]);
    desktop.faults.length = 0;
  });
});

describe('the way out of the page', () => {
  // A window of its own: the test runner waits for navigations that are denied.
  it('is closed: no new window and no navigation', async () => {
    const other = await launch();
    const { page, app } = other;
    expect(await page.evaluate(() => window.open('https://example.org/') === null)).toBe(true);
    const log = join(other.userData, 'logs', 'desktop.log');
    const denials = (): number => readFileSync(log, 'utf8').split('navigation-denied').length - 1;
    for (const address of ['https://example.org/', 'app://other/']) {
      const before = denials();
      await page.evaluate((to) => {
        location.href = to;
      }, address);
      await eventually(`the log of ${address}`, () =>
        Promise.resolve(denials() > before || undefined),
      );
    }
    const shown = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.webContents.getURL()),
    );
    expect(shown).toEqual(['app://caregate/']);
    await other.close();
  });
});

describe('calls from elsewhere', () => {
  it('are refused from another page', async () => {
    const preload = join(appFolder, 'dist/preload/preload.cjs');
    const answer = await desktop.app.evaluate(async ({ BrowserWindow, session }, preload) => {
      const window = new BrowserWindow({
        show: false,
        webPreferences: { preload, sandbox: true, session: session.fromPartition('stranger') },
      });
      await window.loadURL('data:text/html,<title>stranger</title>');
      const calls = (await window.webContents.executeJavaScript(
        `Promise.all(Object.keys(window.caregate).filter((name) => !name.startsWith('on'))
          .map(async (name) => JSON.stringify(await window.caregate[name]({}))))`,
      )) as string[];
      window.destroy();
      return calls;
    }, preload);
    expect(answer.length).toBeGreaterThan(15);
    expect(new Set(answer)).toEqual(new Set(['{"ok":false,"problem":{"kind":"refused"}}']));
  });

  it('are refused from a frame', async () => {
    // The page's policy lets no frame load; were there one, it would have no bridge.
    const found = await desktop.page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const has = frame.contentWindow !== null && 'caregate' in frame.contentWindow;
      frame.remove();
      return has;
    });
    expect(found).toBe(false);
  });
});
