import type { CaregateBridge } from '../shared/channels.ts';

declare global {
  interface Window {
    /** What the preload gives the page: its only way out. */
    readonly caregate: CaregateBridge;
  }
}
