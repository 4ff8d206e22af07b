import regular from 'inter-ui/web/Inter-Regular.woff2?inline';
import semibold from 'inter-ui/web/Inter-SemiBold.woff2?inline';

const face = (weights: string, address: string): string =>
  `@font-face { font-family: Print; font-weight: ${weights}; font-display: block; src: url("${address}") format('woff2'); }`;

/** The desk's own face. Not its variable file: Chromium writes that into a PDF as drawings. */
export const FACES = `${face('400', regular)}${face('600 700', semibold)}`;
