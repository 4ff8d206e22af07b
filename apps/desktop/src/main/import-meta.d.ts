/** From Vite; undefined under Jest. */
interface ImportMeta {
  readonly env?: { readonly DEV: boolean };
}
