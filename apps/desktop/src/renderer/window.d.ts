import type { CaregateBridge } from '../shared/channels.ts';

declare global {
  interface Window {
    /** The page's only interface to main, from the preload script. */
    readonly caregate: CaregateBridge;
  }
}
