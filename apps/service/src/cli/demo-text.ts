import {
  READ_OPERATIONS,
  type OperationName,
  type ReadOperation,
} from '@caregate/domain/operations';
import type { DemoSample } from './demo-data.ts';

function demoCurls(baseUrl: string, keys: DemoKeys, sample: DemoSample): readonly string[] {
  const queries: Partial<Record<OperationName, string>> = {
    listUsers: '?limit=5',
    mindfulnessMinutes: `?start_date=${sample.start_date}&end_date=${sample.end_date}`,
    listOrders: `?user_id=${sample.user_id}&size=5`,
  };
  const bodies: Partial<Record<OperationName, string>> = { searchPeople: '{"text":"amar okon"}' };
  const ids: Readonly<Record<string, string>> = { ...sample };
  const operations = Object.entries(READ_OPERATIONS) as [OperationName, ReadOperation][];
  return operations.map(([name, { route, scope }]) => {
    const key = scope !== null ? keys.integration : keys.clinician;
    const body = bodies[name];
    const data = body === undefined ? '' : `-H 'content-type: application/json' -d '${body}' `;
    const path = route.path.replaceAll(/\{(\w+)\}/gu, (_all, field: string) =>
      inPath(ids[field] ?? ''),
    );
    return `curl -sS -H 'x-service-api-key: ${key}' ${data}'${baseUrl}${path}${queries[name] ?? ''}'`;
  });
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
    'Try each read (those under /desk are for people at a desk, here a clinician):',
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

function inPath(segment: string): string {
  return encodeURIComponent(segment).replaceAll("'", '%27');
}
