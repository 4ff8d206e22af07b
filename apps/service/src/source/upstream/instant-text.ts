/** Microseconds since 1970 as a date-time in UTC, with a fraction only where there is one. */
export function instantText(us: number): string {
  const seconds = Math.floor(us / 1e6);
  const fraction = us - seconds * 1e6;
  const whole = new Date(seconds * 1000).toISOString().slice(0, -5);
  return fraction === 0 ? `${whole}Z` : `${whole}.${String(fraction).padStart(6, '0')}Z`;
}
