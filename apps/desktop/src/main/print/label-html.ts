import type { Label } from '../../shared/print.ts';
import { escapeHtml, fonts } from './print-html.ts';
import { LABEL_COLUMN_GAP, LABEL_GAP, LABEL_MARGIN } from './label-layout.ts';
import type { LabelLayout, TextFit } from './label-layout.ts';

/** No script; all text escaped. `faces` are the fonts, as CSS. */
export function labelHtml(
  label: Label,
  layout: LabelLayout,
  use: { readonly nonce: string; readonly faces: string },
): string {
  const { language, direction, name, born, clientUserId } = label;
  const line = (part: 'name' | 'born', said: string): string =>
    said === '' ? '' : `<p class="${part}" dir="auto">${escapeHtml(said)}</p>`;
  const id = `<p class="id" dir="ltr">${escapeHtml(clientUserId)}</p>`;
  const words = `${line('name', name)}${line('born', born)}`;
  const inside =
    layout.symbology === 'code128'
      ? `${words}<div class="bars">${layout.svg}</div>${id}`
      : `<div class="words">${words}<div class="rest"></div>${id}</div><div class="matrix">${layout.svg}</div>`;
  return [
    '<!doctype html>',
    // No title: some systems use it as the name of the print job.
    `<html lang="${escapeHtml(language)}" dir="${direction}"><head><meta charset="utf-8"><title>-</title>`,
    `<style nonce="${escapeHtml(use.nonce)}">${use.faces}${styles(layout, direction === 'rtl')}</style></head>`,
    `<body class="${layout.symbology}">${inside}</body></html>`,
  ].join('\n');
}

function styles(layout: LabelLayout, rtl: boolean): string {
  const { size, module, codeWidth, name, isNameCut, born, id } = layout;
  const quiet = Math.max(0, 10 * module - LABEL_MARGIN);
  return `
@page { size: ${String(size.width)}mm ${String(size.height)}mm; margin: 0; }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { font-family: ${fonts}; font-weight: 600; color: #000; background: #fff; }
/* A pixel less than the paper, whose size Chromium rounds: or there would be a second label. */
body { inline-size: 100%; block-size: calc(${String(size.height)}mm - 1px); padding: ${String(LABEL_MARGIN)}mm; overflow: hidden; display: flex; gap: ${String(LABEL_GAP)}mm; }
body.code128 { flex-direction: column; }
body.dataMatrix { align-items: stretch; justify-content: space-between; gap: ${String(LABEL_COLUMN_GAP)}mm; }
/* Each line begins where the label does, also a name of another direction; but not a cut one, whose ellipsis would leave the label. */
p { flex: none; overflow: hidden; overflow-wrap: anywhere; text-align: ${rtl ? 'right' : 'left'}; }
.name { ${clamped(name)}${isNameCut ? ' text-align: start;' : ''} }
.born { ${clamped(born)} }
.id { font-feature-settings: 'zero'; white-space: break-spaces; line-break: anywhere; ${sized(id)} }
.bars { flex: 1; min-block-size: 0; margin-inline: ${quiet.toFixed(3)}mm; }
.bars .code { display: block; inline-size: ${codeWidth.toFixed(3)}mm; block-size: 100%; }
.words { flex: 1; min-inline-size: 0; display: flex; flex-direction: column; gap: ${String(LABEL_GAP)}mm; }
.rest { flex: 1; }
.matrix { flex: none; align-self: center; }
.matrix .code { display: block; inline-size: ${codeWidth.toFixed(3)}mm; block-size: ${codeWidth.toFixed(3)}mm; }
`;
}

function sized({ points, lineHeight }: TextFit): string {
  return `font-size: ${String(points)}pt; line-height: ${String(lineHeight)};`;
}

function clamped(fit: TextFit): string {
  const { lines, lineHeight } = fit;
  return `${sized(fit)} max-block-size: ${String(lines * lineHeight)}em; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: ${String(lines)};`;
}
