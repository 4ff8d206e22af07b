import arabicRegular from '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff2?inline';
import arabicSemibold from '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-600-normal.woff2?inline';
import regular from 'inter-ui/web/Inter-Regular.woff2?inline';
import semibold from 'inter-ui/web/Inter-SemiBold.woff2?inline';

type Display = 'swap' | 'block';

/** Letters of Arabic, and their forms that some systems send. */
const arabic = 'unicode-range: U+600-6FF, U+750-77F, U+870-8FF, U+FB50-FDFF, U+FE70-FEFC;';

/** The desk's own faces. Not their variable files: Chromium writes those into a PDF as drawings. */
const facesFor = (display: Display): string =>
  [
    face('400', regular, display),
    face('600 700', semibold, display),
    face('400', arabicRegular, display, arabic),
    face('600 700', arabicSemibold, display, arabic),
  ].join('');

const face = (weights: string, address: string, display: Display, only = ''): string =>
  `@font-face { font-family: Print; font-weight: ${weights}; font-display: ${display}; src: url("${address}") format('woff2'); ${only} }`;

/** Words in another face are better than none. */
export const DOCUMENT_FACES = facesFor('swap');

/** Fitted to the face: words in another could be cut. */
export const LABEL_FACES = facesFor('block');
