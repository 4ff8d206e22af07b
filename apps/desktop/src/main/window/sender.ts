interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

export const APP_SCHEME = 'app';
export const APP_HOST = 'caregate';

/** Vite's development server. A release build removes this code, so only `app://` is left. */
const devServer = import.meta.env?.DEV === true ? process.env['ELECTRON_RENDERER_URL'] : undefined;

/** The only origin that may call main. */
export const APP_ORIGIN = devServer ?? `${APP_SCHEME}://${APP_HOST}`;

export function isTrustedFrame(frame: SenderFrame | null): boolean {
  if (frame === null || frame.parent !== null) return false;
  if (!URL.canParse(frame.url)) return false;
  const { protocol, host } = new URL(frame.url);
  return `${protocol}//${host}` === APP_ORIGIN;
}
