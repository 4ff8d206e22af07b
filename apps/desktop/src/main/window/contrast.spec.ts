import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** This spec is here because specs of the renderer have no file system. */
const renderer = join(import.meta.dirname, '../../renderer');
const tokens = new Map(
  [
    ...readFileSync(join(renderer, 'styles/tokens.css'), 'utf8').matchAll(
      /--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\);/gu,
    ),
  ].map(([, name, light, dark]) => [name!, { light: light!, dark: dark! }]),
);

/** Computes the relative luminance of an sRGB color, as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter! + 0.05) / (darker! + 0.05);
}

const grounds = ['ground', 'surface', 'sunken', 'hover', 'selected', 'raised'];
const meanings = ['flag', 'unknown', 'notice'];
const texts = ['text', 'text-quiet', 'accent', 'good', ...meanings];
const pairs = [
  ...texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...meanings.map((meaning) => [meaning, `${meaning}-tint`] as const),
  ...meanings.map((meaning) => ['text', `${meaning}-tint`] as const),
  ['text', 'mark'] as const,
  ['on-accent', 'accent'] as const,
  ['on-accent', 'accent-hover'] as const,
];

describe.each(['light', 'dark'] as const)('the colours in %s', (theme) => {
  it.each(pairs)('%s on %s: 7:1 or more', (text, ground) => {
    const ratio = contrast(tokens.get(text)![theme], tokens.get(ground)![theme]);
    expect(ratio).toBeGreaterThanOrEqual(7);
  });

  it.each(['line-strong', 'accent'])('%s on each ground: 3:1 or more', (name) => {
    for (const ground of grounds) {
      const ratio = contrast(tokens.get(name)![theme], tokens.get(ground)![theme]);
      expect(ratio).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('the styles', () => {
  const sheets = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  );

  it.each(sheets)('%s uses only color tokens and logical directions', (file) => {
    const css = readFileSync(join(renderer, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//gu, '');
    if (!file.endsWith('tokens.css')) expect(css).not.toMatch(/#[\da-f]{3,8}\b/iu);
    expect(css).not.toMatch(/(?:margin|padding|border)-(?:left|right)|[^-]\b(?:left|right)\s*:/u);
    expect(css).not.toMatch(/text-align:\s*(?:left|right)/u);
  });
});
