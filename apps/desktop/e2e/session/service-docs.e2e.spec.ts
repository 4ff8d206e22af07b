import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import type { ElectronApplication, Page } from 'playwright-core';
import { patienceMs, startElectron } from '../support/desktop.testing.ts';
import { startDemo, type DemoService } from '../support/service.testing.ts';
import { temporaryFolder } from '../support/started-desk.testing.ts';

const browserFolder = fileURLToPath(new URL('browser', import.meta.url));

let service: DemoService;
let browser: ElectronApplication;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  service = await startDemo(['--users', '9']);
  browser = await startElectron([browserFolder, `--user-data-dir=${userData}`]);
  page = await browser.firstWindow({ timeout: patienceMs });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});
// After the hook that ends what writes there.
const userData = temporaryFolder();

describe("the service's documentation in a real browser", () => {
  it('shows every operation, without a warning and without an error', async () => {
    await page.goto(`${service.address}/docs`);
    await page.locator('.opblock').first().waitFor();
    const document = (await (await fetch(`${service.address}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    const warnings = page.locator(
      '.version-pragma, .errors-wrapper, [class*="warning" i], [role=alert]',
    );
    expect(await warnings.allInnerTexts()).toEqual([]);
    expect(await page.locator('body').innerText()).not.toMatch(
      /jsonSchemaDialect|may not render correctly|Unable to render|resolver error/iu,
    );
    expect(faults).toEqual([]);
  });

  it('shows the headers of an answer and leads from a problem to its page', async () => {
    await page.locator('#operations-Users-resolveUser .opblock-summary-control').click();
    const headers = page
      .locator('#operations-Users-resolveUser .responses-wrapper .headers')
      .first();
    await headers.waitFor();
    expect(await headers.innerText()).toContain('x-audit-record-id');
    await page.locator('[id$="-problemType"] .opblock-summary-control').click();
    // The link itself opens a window of its own.
    const link = page.getByRole('link', { name: '/problems/not-found' }).first();
    await page.goto(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/problems/not-found');
    expect(faults).toEqual([]);
  });
});
