/** What the program was started with. */
interface Start {
  /** Whether the app is loaded from an archive, as in every package; the executable's name says nothing. */
  readonly isPackaged: boolean;
  /** Whether Node's inspector runs: only where the runtime's fuse lets it, so in no release. */
  readonly isInspected: boolean;
  readonly hasSwitch: (name: string) => boolean;
  readonly valueOf: (name: string) => string;
}

export interface StartSwitches {
  /** The ready file of a demo service. */
  readonly demo?: string;
  /** Stands for the computer's own policy in tests. */
  readonly policy?: string;
}

/** Chromium's switches by which another program could read the pages and act in them. */
export const DEBUGGING_SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-debugging-socket-name',
  'remote-debugging-targets',
  'remote-allow-origins',
] as const;

/** The switches that count; undefined where the program must end at once. */
export function startSwitches({
  isPackaged,
  isInspected,
  hasSwitch,
  valueOf,
}: Start): StartSwitches | undefined {
  if (isPackaged) {
    return DEBUGGING_SWITCHES.some(hasSwitch) && !isInspected ? undefined : {};
  }
  const demo = valueOf('demo');
  const policy = valueOf('policy');
  return { ...(demo !== '' && { demo }), ...(policy !== '' && { policy }) };
}
