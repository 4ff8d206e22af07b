import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Axe from 'axe-core';
import { seed } from '@caregate/seeded/seed';
import type { Page } from 'playwright-core';
import { look, plain } from './desktop.testing.ts';
import type { Desktop, Look } from './desktop.testing.ts';
import { endLooks, layoutFaults, picture, resize } from './layout.testing.ts';
import type { Size } from './layout.testing.ts';

const usual: Size = { width: 1280, height: 860, zoom: 1 };

/**
 * A look is a theme, a language, a width and a zoom. Each state is tested in one of them, which depends on the seed.
 * The long tier tests each state in all of them.
 */
const LOOKS: readonly (Look & { readonly size: Size })[] = [
  { ...plain, size: usual },
  { theme: 'dark', language: 'es', size: { width: 1024, height: 700, zoom: 1 } },
  { theme: 'light', language: 'ar', size: { width: 1280, height: 860, zoom: 2 } },
];

/** Set KEEP_LAYOUTS to a folder to keep a picture of each state in each look. */
const pictures = process.env['KEEP_LAYOUTS'];

const { resolve } = createRequire(import.meta.url);
const axeSource = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');

/** Finds accessibility and layout faults of the current state, and then restores the plain look. */
export async function faultsIn(
  desktop: Desktop,
  name: string,
  place: number,
): Promise<readonly string[]> {
  const { page } = desktop;
  const faults: string[] = [];
  const isTried = (at: number): boolean =>
    process.env['TIER'] === 'long' || at === (place + seed) % LOOKS.length;
  // The pointer of an earlier state may have opened a tooltip.
  await page.mouse.move(2, 2);
  for (const { theme, language, size } of LOOKS.filter((_look, at) => isTried(at))) {
    await look(page, { theme, language });
    // The zoom is a setting too, so it is set after the others.
    await resize(desktop, size);
    const found = [...(await axeFaults(page)), ...(await layoutFaults(page))];
    faults.push(...found.map((fault) => `${theme} ${language}: ${fault}`));
    if (pictures !== undefined) {
      mkdirSync(pictures, { recursive: true });
      const file = `${name} ${theme} ${language}.png`.replaceAll(/[^\w.]+/gu, '-');
      await picture(desktop, join(pictures, file));
    }
  }
  await endLooks(page);
  await look(page, plain);
  await resize(desktop, usual);
  return faults;
}

/** Returns the WCAG violations that axe finds, with the first element of each. Texts need a contrast of 7:1, large ones 4.5:1. */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { readonly axe: typeof Axe };
    const { violations } = await axe.run({
      // Preloading is needed only by rules about media and device orientation.
      preload: false,
      resultTypes: ['violations'],
      // Beside the rule for 4.5:1, since this one reports only what lies between.
      rules: { 'color-contrast-enhanced': { enabled: true } },
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}
