const MINUTE_MS = 60_000;
const [HOUR, DAY] = [60, 60 * 24];

/** Formats a duration in its two largest units: `3 d 4 h`, `4 h 12 min`, `7 min`. */
export function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes >= DAY) {
    return `${Math.floor(minutes / DAY)} d ${Math.floor((minutes % DAY) / HOUR)} h`;
  }
  return minutes >= HOUR
    ? `${Math.floor(minutes / HOUR)} h ${minutes % HOUR} min`
    : `${minutes} min`;
}
