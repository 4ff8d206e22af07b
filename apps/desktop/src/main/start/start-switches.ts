interface StartOptions {
  /** Whether the app is loaded from an asar archive. The name of the executable doesn't show that. */
  readonly isPackaged: boolean;
  /** Whether Node's inspector is active. The fuses of a release prevent it. */
  readonly isInspected: boolean;
  readonly hasSwitch: (name: string) => boolean;
  readonly readSwitch: (name: string) => string;
}

export interface StartSwitches {
  readonly demo?: string;
  readonly policy?: string;
}

/** Chromium switches with which another program could read the pages. */
export const DEBUGGING_SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'remote-debugging-targets',
  'remote-allow-origins',
] as const;

/** Returns undefined if the program has to exit at once. */
export function readStartSwitches(options: StartOptions): StartSwitches | undefined {
  const { isPackaged, isInspected, hasSwitch, readSwitch } = options;
  if (isPackaged) {
    return DEBUGGING_SWITCHES.some(hasSwitch) && !isInspected ? undefined : {};
  }
  const demo = readSwitch('demo');
  const policy = readSwitch('policy');
  return { ...(demo !== '' && { demo }), ...(policy !== '' && { policy }) };
}
