/** An Electron, and a display for each worker of the tests (default 1); gives what ends the displays. */
export function provideRuntime(workers?: number): Promise<() => void>;
