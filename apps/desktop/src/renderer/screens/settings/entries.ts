/** Minutes until the lock as they were typed; undefined where it is no whole number from 1 to 15. */
export function lockMinutesOf(typed: string): number | undefined {
  const minutes = /^\s*(\d{1,2})\s*$/u.exec(typed)?.[1];
  return minutes !== undefined && Number(minutes) >= 1 && Number(minutes) <= 15
    ? Number(minutes)
    : undefined;
}

/** Prefixes with spaces between, each once; undefined where they are too many or too long. */
export function prefixesOf(typed: string): string[] | undefined {
  const prefixes = [...new Set(typed.split(/\s+/u).filter((prefix) => prefix !== ''))];
  return prefixes.length <= 20 && prefixes.every(({ length }) => length <= 20)
    ? prefixes
    : undefined;
}
