import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Desktop } from './desktop.testing.ts';
import { look } from './desktop.testing.ts';
import { endLooks, layoutFaults, picture, resize } from './layout.testing.ts';
import type { Size } from './layout.testing.ts';
import { plain } from './state-walk.testing.ts';

const usual: Size = { width: 1280, height: 800, zoom: 1 };
const windows = [
  { width: 1600, height: 900 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
] as const;
/** There and back: from each to the next, size or zoom changes, and not both. */
const sizes: readonly Size[] = [
  ...windows.map((size) => ({ ...size, zoom: 1 })),
  ...windows.toReversed().map((size) => ({ ...size, zoom: 2 })),
];
const languages = ['es', 'ar', 'en'] as const;
/** Set KEEP_LAYOUTS to a folder to look at each. */
const pictures = process.env['KEEP_LAYOUTS'];

/** What is wrong in the state as it is now, with the sizes and languages that it is wrong in; English comes last. */
export async function faultsAtEachSize(
  desktop: Desktop,
  name: string,
): Promise<Readonly<Record<string, string>>> {
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
  const { page } = desktop;
  const found: Record<string, string> = {};
  for (const [turn, language] of languages.entries()) {
    await look(page, { ...plain, language });
    // A zoom has every letter shaped anew: each language begins with the size that the last one ended with.
    for (const size of turn % 2 === 0 ? sizes : sizes.toReversed()) {
      await resize(desktop, size);
      const at = `${language} ${String(size.width)} x ${String(size.zoom)}`;
      for (const fault of await layoutFaults(page)) {
        found[fault] = [found[fault], at].filter(Boolean).join(', ');
      }
      if (pictures !== undefined) {
        const file = `${name} ${at}.png`.replaceAll(/[^\w.]+/gu, '-');
        await picture(desktop, join(pictures, file));
      }
    }
  }
  await endLooks(page);
  await resize(desktop, usual);
  return found;
}
