import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser, startIdentityProvider } from '@caregate/identity-provider';
import type { IdentityProvider } from '@caregate/identity-provider';
import type { ElectronApplication, Page } from 'playwright-core';
import { eventually, launch } from './desktop.testing.ts';
import type { Desktop, LaunchOptions } from './desktop.testing.ts';
import { startDemo } from './service.testing.ts';
import type { DemoService } from './service.testing.ts';

export interface Clinic {
  readonly provider: IdentityProvider;
  readonly service: DemoService;
  readonly readyFile: string;
  /** The data folder of the service, for its commands. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/**
 * Starts a provider and a demo service whose users it signs in. A desktop with the service's ready file gets enrolled.
 *
 * @param env settings of the service
 */
export async function startClinic(env: Readonly<Record<string, string>> = {}): Promise<Clinic> {
  const provider = await startIdentityProvider({ plainHttp: true });
  const folder = mkdtempSync(join(tmpdir(), 'caregate-desktop-provider-'));
  const file = join(folder, 'provider.json');
  const dataDir = join(folder, 'data');
  const { issuer, clientId, people } = provider;
  writeFileSync(file, JSON.stringify({ issuer, client_id: clientId, people }));
  const service = await startDemo(['--identity-provider', file, '--data', dataDir], env);
  return {
    provider,
    service,
    readyFile: service.readyFile,
    dataDir,
    stop: async () => {
      await service.stop();
      await provider.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Signs in one of the demo's users, as the buttons do, once the desk is enrolled. */
export async function signInToDemo(page: Page, subject = 'clinician'): Promise<void> {
  const begun = await eventually('the desk is enrolled', async () => {
    const answer = await page.evaluate(
      (who) => window.caregate.beginSignIn({ subject: who }),
      subject,
    );
    return !answer.ok && answer.problem.kind === 'notEnrolled' ? undefined : answer;
  });
  if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
}

async function untilEnrolled(page: Page): Promise<void> {
  await eventually('the desk is enrolled', () =>
    page.evaluate(async () => {
      const state = await window.caregate.state({});
      return state.ok && state.value.status.enrolled ? true : undefined;
    }),
  );
}

/** A window with an enrolled desk. The test takes the place of the browser. */
export async function launchEnrolled(
  { service }: Clinic,
  options: LaunchOptions = {},
): Promise<Desktop> {
  const desktop = await launch({ readyFile: service.readyFile, stubs: true, ...options });
  await catchBrowser(desktop.app);
  await untilEnrolled(desktop.page);
  return desktop;
}

interface Opened {
  opened?: string[];
}

/** Keeps this desktop from opening the system's browser. The URLs are kept for `nextOpened`. */
export async function catchBrowser(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ shell }) => {
    const urls: string[] = ((globalThis as Opened).opened = []);
    shell.openExternal = (url) => {
      urls.push(url);
      return Promise.resolve();
    };
  });
}

/** Waits for the URL that the desktop opened. */
export function nextOpened(app: ElectronApplication): Promise<string> {
  return eventually('the browser was opened', () =>
    app.evaluate(() => (globalThis as Opened).opened?.shift()),
  );
}

/** Signs in the user at the provider, and returns the last page that the browser shows. */
export async function clickOn(
  { provider }: Clinic,
  app: ElectronApplication,
  subject: string,
): Promise<string> {
  const browser = new Browser(provider.caCertificate);
  const back = await browser.signIn(await nextOpened(app), subject);
  return (await fetch(back)).text();
}
