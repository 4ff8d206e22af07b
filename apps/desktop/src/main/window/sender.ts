interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** The only origin that may call main. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'caregate';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

export function isTrustedFrame(frame: SenderFrame | null): boolean {
  if (frame === null || frame.parent !== null) return false;
  if (!URL.canParse(frame.url)) return false;
  const { protocol, host } = new URL(frame.url);
  return protocol === `${APP_SCHEME}:` && host === APP_HOST;
}
