import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { look } from './desktop.testing.ts';
import type { Look } from './desktop.testing.ts';
import { plain } from './state-walk.testing.ts';

/** The builder's own. */
const { resolve } = createRequire(import.meta.resolve('@axe-core/playwright'));
const axeSource = readFileSync(resolve('axe-core/axe.min.js'), 'utf8');

export const allLooks = [
  { theme: 'dark', language: 'en' },
  { theme: 'dark', language: 'ar' },
  { theme: 'light', language: 'ar' },
  // Last, so that the next state is come to in English.
  plain,
] as const satisfies readonly Look[];

/** The rule of the colours: AA as the standard has it, or 7:1, which is our own goal. */
export type Contrast = 'color-contrast' | 'color-contrast-enhanced';

/** The rules that colours, places and language decide. */
const byLook = (contrast: Contrast): string[] => [
  contrast,
  'link-in-text-block',
  'target-size',
  'html-has-lang',
];

/**
 * What axe finds in the state as it is now, which was come to in the plain look. Names, roles and structure are the same in all looks, and looked for in the
 * plain one; the colours, the places and the language are not.
 */
export async function violations(
  page: Page,
  looks: readonly Look[],
  contrast: Contrast = 'color-contrast',
): Promise<string[]> {
  const found: string[] = [];
  let shown: Look = plain;
  for (const one of looks) {
    // Settings that are saved again draw the page anew, and axe would look at it meanwhile.
    if (one !== shown) await look(page, one);
    shown = one;
    // Half a megabyte, which the builder itself would bring in twice for each run.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    // What passes would be sent with a selector for each element, and nobody reads it.
    const axe = new AxeBuilder({ page, axeSource: 'undefined' }).setLegacyMode(true).options({
      resultTypes: ['violations'],
      rules: { [contrast]: { enabled: true } },
    });
    // Without a choice: every rule that is on by itself.
    if (one !== plain) axe.withRules(byLook(contrast));
    const results = await axe.analyze();
    for (const { id, nodes } of results.violations) {
      found.push(`${one.theme} ${one.language} ${id}: ${nodes[0]?.html ?? ''}`);
    }
  }
  return found;
}
