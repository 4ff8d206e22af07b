import bidiFactory from 'bidi-js';
import { openSync, type Font } from 'fontkit';
import { createRequire } from 'node:module';

/** Text of one font and direction. */
export interface Run {
  readonly text: string;
  readonly font: string;
  readonly level: number;
}

const resolve = createRequire(import.meta.url).resolve;
const bidi = bidiFactory();

const notoSans = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'];
/** The first font that has a character prints it; Unifont, a bitmap font, has nearly all. fontkit can't subset WOFF2. */
const files = [
  ...[...notoSans, 'vietnamese', 'devanagari'].map(
    (part) => `@fontsource/noto-sans/files/noto-sans-${part}-400-normal.woff`,
  ),
  '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff',
  '@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-400-normal.woff',
  '@fontsource/unifont/files/unifont-latin-400-normal.woff',
];
const fonts = new Map<string, Font>();

function fontAt(path: string): Font {
  let font = fonts.get(path);
  if (font === undefined) {
    font = openSync(path) as Font;
    fonts.set(path, font);
  }
  return font;
}

const hasGlyph = (path: string, character: string): boolean =>
  fontAt(path).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

const plainFont = resolve(files[0] ?? '');
const found = new Map<string, string | undefined>();

function fontOf(character: string): string | undefined {
  if (!found.has(character)) {
    found.set(
      character,
      files.map((file) => resolve(file)).find((path) => hasGlyph(path, character)),
    );
  }
  return found.get(character);
}

/** Leaves out direction marks; writes characters that no font has as numbers. */
function printable(text: string): string {
  const shown = text.normalize('NFC').replaceAll(/\s/gu, ' ');
  return Array.from(shown, (character) => {
    if (isJoiner(character) || fontOf(character) !== undefined) {
      return /\p{Bidi_Control}|\p{Cc}/u.test(character) ? '' : character;
    }
    return /\p{Default_Ignorable_Code_Point}|\p{Cc}/u.test(character)
      ? ''
      : `[U+${character.codePointAt(0)?.toString(16).toUpperCase()}]`;
  }).join('');
}

const isJoiner = (character: string): boolean => /[\u200c\u200d]/u.test(character);

/** In visual order, left to right. */
export function runsOf(text: string): readonly Run[] {
  if (/^[ -~]*$/u.test(text)) {
    return [{ text, font: plainFont, level: 0 }];
  }
  const shown = printable(text);
  const { levels } = bidi.getEmbeddingLevels(shown);
  const runs: Run[] = [];
  let at = 0;
  for (const character of shown) {
    const level = levels[at] ?? 0;
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(character) : null;
    const last = runs.at(-1);
    at += character.length;
    if (isJoiner(character) && (last === undefined || !hasGlyph(last.font, character))) continue;
    // Spaces and marks join the run before them.
    const font =
      last !== undefined && /[^\p{L}\p{N}]/u.test(character) && hasGlyph(last.font, character)
        ? last.font
        : (fontOf(character) ?? plainFont);
    if (last !== undefined && last.font === font && last.level === level) {
      runs[runs.length - 1] = { ...last, text: last.text + (mirrored ?? character) };
    } else {
      runs.push({ text: mirrored ?? character, font, level });
    }
  }
  return inOrder(runs).map(visual);
}

/** Rule L2 of the Unicode bidirectional algorithm. */
function inOrder(runs: Run[]): Run[] {
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < runs.length; from += 1) {
      let to = from;
      while ((runs[to]?.level ?? -1) >= level) to += 1;
      if (to > from) {
        runs.splice(from, to - from, ...runs.slice(from, to).reverse());
        from = to;
      }
    }
  }
  return runs;
}

/** fontkit reverses runs with right-to-left letters, but not runs of signs alone. */
function visual(run: Run): Run {
  return run.level % 2 === 1 && !/\p{L}/u.test(run.text)
    ? { ...run, text: Array.from(run.text).reverse().join('') }
    : run;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Breaks at spaces, and within words longer than a line. */
export function linesOf(
  text: string,
  width: number,
  widthOf: (text: string) => number,
): readonly string[] {
  if (widthOf(text) <= width) {
    return [text];
  }
  const lines: string[] = [];
  let line = '';
  const add = (part: string): void => {
    if (line !== '' && widthOf((line + part).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = part.trimStart();
    } else {
      line += part;
    }
  };
  for (const word of text.split(/(?<=[\s/])/u)) {
    const parts =
      widthOf(word.trimEnd()) <= width
        ? [word]
        : Array.from(graphemes.segment(word), ({ segment }) => segment);
    parts.forEach(add);
  }
  return [...lines, line.trimEnd()];
}
