import type { Page } from 'playwright-core';

/** Milliseconds from each change of Find's filter to the paint of its list, as the page measures them. */
export async function measureFilter(page: Page, filters: readonly string[]): Promise<number[]> {
  const taken: number[] = [];
  for (const filter of filters) {
    await forget(page, 'caregate.filter');
    await page.getByLabel('Name, birth date, phone or id').fill(filter);
    taken.push(await next(page, 'caregate.filter'));
  }
  return taken;
}

async function forget(page: Page, name: string): Promise<void> {
  await page.evaluate((which) => {
    performance.clearMeasures(which);
  }, name);
}

async function next(page: Page, name: string): Promise<number> {
  const found = await page.waitForFunction(
    (which) => performance.getEntriesByName(which).at(-1)?.duration,
    name,
  );
  return (await found.jsonValue())!;
}
