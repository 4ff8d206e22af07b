/** The part of a frame that says where a call came from. */
interface SenderFrame {
  readonly url: string;
  readonly parent: unknown;
}

/** Where the page is served, and the only origin that may call. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'caregate';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/**
 * Whether a call comes from the page itself: one of our windows' own contents, its top frame, and our origin in it.
 * A frame that is gone by the time the call arrives is null.
 */
export function isTrustedSender(
  senderId: number,
  frame: SenderFrame | null,
  windows: ReadonlySet<number>,
): boolean {
  if (frame === null || frame.parent !== null || !windows.has(senderId)) return false;
  if (!URL.canParse(frame.url)) return false;
  const { protocol, host } = new URL(frame.url);
  return protocol === `${APP_SCHEME}:` && host === APP_HOST;
}
