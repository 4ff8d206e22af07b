/** The end of a line of a stack, after the last slash: `shell-Bq3x.js:12:3456)`. */
const PLACE = /^[\w.-]+:\d+:\d+$/u;

/** Logs where the page threw. The message stays in the page, since it may quote a patient's data. */
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
  // An error's name can be set to anything; a class's is written in the program.
  return { name: thrown.constructor.name.slice(0, 100), places: places.slice(0, 10) };
}
