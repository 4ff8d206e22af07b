import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startIdentityProvider } from '@caregate/identity-provider';
import type { Page } from 'playwright-core';
import { caregate, startProgram } from './program.testing.ts';
import type { Running } from './program.testing.ts';

/** A demo whose staff sign in at a desk. */
export interface DemoClinic {
  readonly service: Running;
  /** Environment of the desktop app. Its PATH has a browser that signs in the demo's clinician by itself. */
  readonly env: { readonly PATH: string };
  end(): Promise<void>;
}

/** @param folder where the demo writes its files */
export async function startDemoClinic(
  folder: string,
  ...options: readonly string[]
): Promise<DemoClinic> {
  const provider = await startIdentityProvider({ plainHttp: true });
  const { issuer, clientId, people } = provider;
  const file = join(folder, 'provider.json');
  writeFileSync(file, JSON.stringify({ issuer, client_id: clientId, people }));
  const browser = '#!/bin/sh\nexec curl -sSL -b \'\' "$1&login_hint=clinician"\n';
  writeFileSync(join(folder, 'xdg-open'), browser, { mode: 0o755 });
  const readyFile = join(folder, 'service.json');
  const demo = [caregate, 'demo', '--port', '0', '--ready-file', readyFile, ...options];
  const service = await startProgram(
    [process.execPath, ...demo, '--identity-provider', file],
    readyFile,
  );
  return {
    service,
    env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
    end: async () => {
      await service.end();
      await provider.stop();
    },
  };
}

/** Connects a new desk, enrols it, and signs in. */
export async function signInFirst(page: Page, service: Running): Promise<void> {
  await page.getByLabel("Clinic's Caregate address").fill(service.base_url);
  await page.keyboard.press('Enter');
  await page.getByLabel('Enrollment code').fill(service.identity_provider?.enrolment_code ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign in with' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('heading', { name: 'Search' }).waitFor();
}
