import type { DemoSample } from './demo-data.ts';

/** A `curl` command for each of the five operations. */
function demoCurls(baseUrl: string, key: string, sample: DemoSample): readonly string[] {
  const { user_id: user, client_user_id: client, order_id: order } = sample;
  const dates = `start_date=${sample.start_date}&end_date=${sample.end_date}`;
  return [
    '/v2/user/?limit=5',
    `/v2/user/resolve/${inPath(client)}`,
    `/v2/user/${user}/insurance/latest`,
    `/v3/order/${order}/result`,
    `/v2/timeseries/${user}/mindfulness_minutes/grouped?${dates}`,
  ].map((path) => `curl -sS -H 'x-service-api-key: ${key}' '${baseUrl}${path}'`);
}

/** Printed by the demo when it is ready. */
export function demoText(
  baseUrl: string,
  keys: Readonly<Record<string, string>> & { readonly integration: string },
  sample: DemoSample,
): string {
  const width = Math.max(...Object.keys(keys).map((label) => label.length));
  return [
    `Caregate is ready at ${baseUrl} with sample data about fictional people.`,
    '',
    'Try each operation:',
    ...demoCurls(baseUrl, keys.integration, sample).map((line) => `  ${line}`),
    '',
    'API keys, one per role:',
    ...Object.entries(keys).map(([label, key]) => `  ${label.padEnd(width)}  ${key}`),
    '',
    `Documentation: ${baseUrl}/docs`,
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** One segment of a path, also safe between single quotes. */
function inPath(segment: string): string {
  return encodeURIComponent(segment).replaceAll("'", '%27');
}
