/** Vite inlines the font as a data URL, so that printing loads no file. */
declare module '*.woff2?inline' {
  const address: string;
  export default address;
}
