import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { startSpooler, type Spooler } from './cups.testing.ts';
import { launch, look, plain, untilFind, type Desktop } from './desktop.testing.ts';
import type { Page } from 'playwright-core';
import { ENROLMENT_CODE, PIN, staff } from './fake-sign-in.testing.ts';
import { emptyTeam, startFake, type FakeService, type Responder } from './fake-service.testing.ts';

/** A window that is signed in to a service, available from the first test on. */
export interface SignedInDesk {
  readonly desktop: Desktop;
  readonly page: Page;
  readonly service: FakeService;
  /** Only with `hasPrinter`. */
  readonly spooler: Spooler;
}

interface DeskOptions {
  /** Whether the window may report errors, since the answers are wrong on purpose. */
  readonly mayReportFaults?: boolean;
  readonly hasPrinter?: boolean;
}

/**
 * Provides one window and one fake service for the tests of a file. Each test starts signed in on Search, in light
 * English, without an open patient and with an empty cache.
 *
 * @param respond the service's answers at the start of each test; by default a team without patients
 */
export function signedInDesk(
  respond: (service: FakeService) => Responder = () => emptyTeam,
  { mayReportFaults = false, hasPrinter = false }: DeskOptions = {},
): SignedInDesk {
  const parts: { -readonly [part in keyof SignedInDesk]?: SignedInDesk[part] } = {};
  const desk = parts as SignedInDesk;
  beforeAll(async () => {
    if (hasPrinter) parts.spooler = await startSpooler();
    parts.desktop = await launch(parts.spooler && { env: { CUPS_SERVER: parts.spooler.socket } });
    parts.page = parts.desktop.page;
    parts.service = await startFake();
  });
  afterAll(async () => {
    await parts.desktop?.close();
    await parts.service?.stop();
    await parts.spooler?.stop();
  });
  beforeEach(async () => {
    const { desktop, page, service } = desk;
    service.respondWith(respond(service));
    await look(page, plain);
    const state = await page.evaluate(() => window.caregate.state({}));
    if (state.ok && state.value.status.phase === 'signedIn') await resetShell(page);
    else await signIn(desktop, service);
  });
  afterEach(() => {
    if (!mayReportFaults) expect(desk.desktop.faults).toEqual([]);
  });
  return desk;
}

/** Signs a window in to a service, and waits for Search. */
export async function signIn(desktop: Desktop, service: FakeService): Promise<void> {
  await beginSignIn(desktop, service);
  await untilFind(desktop.page);
}

/** The same without waiting, since Search has another heading in each language. */
export async function beginSignIn({ app, page }: Desktop, { address }: FakeService): Promise<void> {
  // The fake provider shows no page and redirects the browser at once.
  await app.evaluate(({ shell }) => {
    shell.openExternal = (url) => {
      fetch(url).catch(() => undefined);
      return Promise.resolve();
    };
  });
  const begun = await page.evaluate(
    async ([at, code]) => {
      await window.caregate.signOut({});
      const enrolled = await window.caregate.enrolDesk({ address: at, code });
      return enrolled.ok ? window.caregate.beginSignIn({}) : enrolled;
    },
    [address, ENROLMENT_CODE] as const,
  );
  if (!begun.ok) throw new Error(JSON.stringify(begun.problem));
}

/** Locks the desk without a patient to return to, so that the unlock starts anew. */
export async function lockAnew(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await window.caregate.noteOpen({});
    await window.caregate.lock({});
  });
}

/** Unlocks the desk without waiting for a screen. */
export async function unlock(page: Page): Promise<void> {
  const opened = await page.evaluate(
    ([staffId, pin]) => window.caregate.unlockSession({ staffId, pin }),
    [staff.staff_id, PIN] as const,
  );
  if (!opened.ok) throw new Error(JSON.stringify(opened.problem));
}

/** Locks and unlocks the desk, so that no patient is open and the cache is empty. */
export async function resetShell(page: Page): Promise<void> {
  await lockAnew(page);
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await unlock(page);
  await untilFind(page);
}
