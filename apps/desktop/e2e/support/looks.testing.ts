import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import type { Desktop, Look } from './desktop.testing.ts';
import { look } from './desktop.testing.ts';
import { endLooks, layoutFaults, picture, resize } from './layout.testing.ts';
import type { Size } from './layout.testing.ts';
import { plain } from './state-walk.testing.ts';

const usual: Size = { width: 1280, height: 860, zoom: 1 };

/** Each state is tested in all of them: both themes, three languages, the least width, and 200 % zoom. */
const LOOKS: readonly (Look & { readonly size: Size })[] = [
  { ...plain, size: usual },
  { theme: 'dark', language: 'es', size: { width: 1024, height: 700, zoom: 1 } },
  { theme: 'light', language: 'ar', size: { width: 1280, height: 860, zoom: 2 } },
];

/** WCAG AA, or our own goal of 7:1. */
type Contrast = 'color-contrast' | 'color-contrast-enhanced';

/** Set KEEP_LAYOUTS to a folder to keep a picture of each state in each look. */
const pictures = process.env['KEEP_LAYOUTS'];

const { resolve } = createRequire(import.meta.resolve('@axe-core/playwright'));
const axeSource = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');

/** Finds accessibility and layout faults of the current state in each look; leaves it in the plain one. */
export async function faultsIn(
  desktop: Desktop,
  name: string,
  contrast: Contrast = 'color-contrast',
): Promise<readonly string[]> {
  const { page } = desktop;
  const faults: string[] = [];
  // The pointer of an earlier state may open a tooltip.
  await page.mouse.move(2, 2);
  for (const one of LOOKS) {
    const { theme, language, size } = one;
    if (language !== plain.language) await look(page, { theme, language });
    await resize(desktop, size);
    const found = [...(await axeFaults(page, contrast)), ...(await layoutFaults(page))];
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

/** Violations of WCAG that axe finds, with the first element of each. */
export async function axeFaults(
  page: Page,
  contrast: Contrast = 'color-contrast',
): Promise<string[]> {
  // The builder itself would send its half a megabyte twice for each run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await new AxeBuilder({ page, axeSource: 'undefined' })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], rules: { [contrast]: { enabled: true } } })
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
