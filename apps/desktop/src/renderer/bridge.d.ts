import type { CaregateBridge } from '../bridge/api.ts';

declare global {
  interface Window {
    /** What the preload gives the page, and all that leads out of it. */
    readonly caregate: CaregateBridge;
  }
}
