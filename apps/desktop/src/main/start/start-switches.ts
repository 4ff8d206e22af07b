interface StartOptions {
  /** Whether the app is loaded from an archive; the executable's name says nothing. */
  readonly isPackaged: boolean;
  /** Whether Node's inspector runs, which the fuse of releases prevents. */
  readonly isInspected: boolean;
  readonly hasSwitch: (name: string) => boolean;
  readonly readSwitch: (name: string) => string;
}

export interface StartSwitches {
  readonly demo?: string;
  readonly policy?: string;
}

/** Chromium's switches that let another program read the pages. */
export const DEBUGGING_SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'remote-debugging-targets',
  'remote-allow-origins',
] as const;

/** Undefined if the program must end at once. */
export function readStartSwitches({
  isPackaged,
  isInspected,
  hasSwitch,
  readSwitch: getSwitch,
}: StartOptions): StartSwitches | undefined {
  if (isPackaged) {
    return DEBUGGING_SWITCHES.some(hasSwitch) && !isInspected ? undefined : {};
  }
  const demo = getSwitch('demo');
  const policy = getSwitch('policy');
  return { ...(demo !== '' && { demo }), ...(policy !== '' && { policy }) };
}
