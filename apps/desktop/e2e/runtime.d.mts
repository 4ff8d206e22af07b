/** An Electron and a display for the tests; gives what ends the display. */
export function provideRuntime(): Promise<() => void>;
