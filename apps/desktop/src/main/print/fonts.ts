import arabicRegular from '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff2?inline';
import arabicSemibold from '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-600-normal.woff2?inline';
import regular from 'inter-ui/web/Inter-Regular.woff2?inline';
import semibold from 'inter-ui/web/Inter-SemiBold.woff2?inline';

/** The Unicode ranges of Arabic letters and of their presentation forms, which some systems send. */
const arabic = 'unicode-range: U+600-6FF, U+750-77F, U+870-8FF, U+FB50-FDFF, U+FE70-FEFC;';

/** These fonts are static, since Chromium writes the glyphs of variable fonts into a PDF as drawings. */
export const FONT_FACES = [
  buildFontFace('400', regular),
  buildFontFace('600 700', semibold),
  buildFontFace('400', arabicRegular, arabic),
  buildFontFace('600 700', arabicSemibold, arabic),
].join('');

/** The system's fonts are used for scripts other than Latin, Greek, Cyrillic and Arabic. */
export const FONTS = "Print,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif";

function buildFontFace(weights: string, address: string, range = ''): string {
  return `@font-face { font-family: Print; font-weight: ${weights}; src: url("${address}") format('woff2'); ${range} }`;
}
