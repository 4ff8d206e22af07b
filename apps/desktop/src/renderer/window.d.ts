import type { CaregateBridge } from '../shared/api.ts';

declare global {
  /** The part of Trusted Types (W3C) that the page uses; TypeScript's own library hasn't got them yet. */
  interface TrustedScriptURL {
    toString(): string;
  }

  interface Window {
    /** What the preload gives the page: its only way out. */
    readonly caregate: CaregateBridge;
    readonly trustedTypes: {
      createPolicy(
        name: string,
        rules: { readonly createScriptURL: (url: string) => string },
      ): { createScriptURL(url: string): TrustedScriptURL };
    };
  }
}
