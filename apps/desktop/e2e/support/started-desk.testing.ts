import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { launch, type Desktop, type LaunchOptions } from './desktop.testing.ts';

interface Started<S> {
  readonly desktop: Desktop;
  readonly page: Page;
  readonly service: S;
}

interface Stoppable {
  readonly readyFile?: string;
  stop(): Promise<void>;
}

/**
 * Starts a service and a window for the tests of a file. After each test, the page must not have reported a fault.
 *
 * @param started gets both before the first test
 *
 * @param options of the window; by default it gets the ready file of a demo service
 */
export function startedDesk<S extends Stoppable>(
  start: () => Promise<S>,
  started: (there: Started<S>) => unknown,
  options: (service: S) => LaunchOptions = ({ readyFile }) => (readyFile ? { readyFile } : {}),
): void {
  let service: S | undefined;
  let desktop: Desktop | undefined;
  beforeAll(async () => {
    service = await start();
    desktop = await launch(options(service));
    await started({ desktop, page: desktop.page, service });
  });
  afterAll(async () => {
    await desktop?.close();
    await service?.stop();
  });
  afterEach(() => {
    expect(desktop?.faults).toEqual([]);
  });
}

/** For a window whose answers come from the test. */
export const noService = (): Promise<Stoppable> =>
  Promise.resolve({ stop: () => Promise.resolve() });

/** A folder that exists until the tests of the file have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-e2e-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return folder;
}
