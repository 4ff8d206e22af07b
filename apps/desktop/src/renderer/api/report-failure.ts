/** The position at the end of a stack line, after the last slash, such as `shell-Bq3x.js:12:3456`. */
const PLACE = /^[\w.-]+:\d+:\d+$/u;

/** Logs the position where the page threw. The message isn't logged, since it may quote patient data. */
export function reportFailure(thrown: unknown): void {
  const { name, places } = describeFailure(thrown);
  void window.caregate.reportFailure({ name, places });
}

export function describeFailure(thrown: unknown): { name: string; places: string[] } {
  if (!(thrown instanceof Error)) return { name: typeof thrown, places: [] };
  const places = (thrown.stack ?? '').split('\n').flatMap((line) => {
    const end = line.slice(line.lastIndexOf('/') + 1).replace(')', '');
    return PLACE.test(end) ? [end] : [];
  });
  // The name of an error object can be any text, but the name of its class is part of the program.
  return { name: thrown.constructor.name.slice(0, 100), places: places.slice(0, 10) };
}
