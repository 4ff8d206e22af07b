import type { DemoSample } from './demo-data.ts';

function demoCurls(baseUrl: string, keys: DemoKeys, sample: DemoSample): readonly string[] {
  const { user_id: user, client_user_id: client, order_id: order } = sample;
  const dates = `start_date=${sample.start_date}&end_date=${sample.end_date}`;
  const curl = (key: string, path: string, more = ''): string =>
    `curl -sS -H 'x-service-api-key: ${key}' ${more}'${baseUrl}${path}'`;
  const search = `-H 'content-type: application/json' -d '{"text":"amar okon"}' `;
  return [
    ...[
      '/v2/user/?limit=5',
      `/v2/user/resolve/${inPath(client)}`,
      `/v2/user/${user}/insurance/latest`,
      `/v3/order/${order}/result`,
      `/v2/timeseries/${user}/mindfulness_minutes/grouped?${dates}`,
      `/v2/user/${user}/info/latest`,
      `/v3/orders?user_id=${user}&size=5`,
    ].map((path) => curl(keys.integration, path)),
    curl(keys.clinician, `/desk/orders/${order}/history`),
    curl(keys.clinician, '/desk/people/search', search),
  ];
}

type DemoKeys = Readonly<Record<string, string>> & {
  readonly integration: string;
  readonly clinician: string;
};

export function demoText(baseUrl: string, keys: DemoKeys, sample: DemoSample): string {
  const width = Math.max(...Object.keys(keys).map((label) => label.length));
  return [
    `Caregate is ready at ${baseUrl} with sample data about fictional people.`,
    '',
    'Try each read (the last two are for people at a desk, here a clinician):',
    ...demoCurls(baseUrl, keys, sample).map((line) => `  ${line}`),
    '',
    'API keys, one per role:',
    ...Object.entries(keys).map(([label, key]) => `  ${label.padEnd(width)}  ${key}`),
    '',
    `Documentation: ${baseUrl}/docs`,
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

/** Safe between single quotes, too. */
function inPath(segment: string): string {
  return encodeURIComponent(segment).replaceAll("'", '%27');
}
