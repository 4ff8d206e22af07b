/** Formats the day as YYYY-MM-DD in the given time zone, or in this computer's. */
export function formatIsoDay(timeZone: string | undefined, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    ...(timeZone !== undefined && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at);
  const getPart = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return `${getPart('year').padStart(4, '0')}-${getPart('month')}-${getPart('day')}`;
}
