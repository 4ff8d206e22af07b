import regular from 'inter-ui/web/Inter-Regular.woff2?inline';
import semibold from 'inter-ui/web/Inter-SemiBold.woff2?inline';

type Display = 'swap' | 'block';

/** The desk's own face. Not its variable file: Chromium writes that into a PDF as drawings. */
const facesFor = (display: Display): string =>
  `${face('400', regular, display)}${face('600 700', semibold, display)}`;

const face = (weights: string, address: string, display: Display): string =>
  `@font-face { font-family: Print; font-weight: ${weights}; font-display: ${display}; src: url("${address}") format('woff2'); }`;

/** Words in another face are better than none. */
export const DOCUMENT_FACES = facesFor('swap');

/** Fitted to the face: words in another could be cut. */
export const LABEL_FACES = facesFor('block');
