/** Vite sets `env`; it is undefined under Jest. */
interface ImportMeta {
  readonly env?: { readonly DEV: boolean };
}
