import {
  READ_OPERATIONS,
  type OperationName,
  type ReadOperation,
} from '@caregate/domain/operations';
import type { DemoSample } from './demo-data.ts';

const WIDTH = 110;

/** Returns a curl command for each read, with the shell variables that {@link formatVariables} sets. */
function formatCurlLines({ start_date, end_date }: DemoSample): readonly string[] {
  const queries: Partial<Record<OperationName, string>> = {
    listUsers: '?limit=5',
    mindfulnessMinutes: `?start_date=${start_date}&end_date=${end_date}`,
    listOrders: '?user_id=$USER_ID&size=5',
  };
  const bodies: Partial<Record<OperationName, string>> = { searchPeople: '{"text":"amar okon"}' };
  const operations = Object.entries(READ_OPERATIONS) as [OperationName, ReadOperation][];
  return operations.map(([name, { route, scope }]) => {
    const key = scope === null ? '$DESK' : '$KEY';
    const body = bodies[name];
    const data = body === undefined ? '' : ` --json '${body}'`;
    const path = route.path.replaceAll(
      /\{(\w+)\}/gu,
      (_all, parameter: string) => `$${parameter.toUpperCase()}`,
    );
    const options = `curl -sS -w '\\n' -H "x-service-api-key: ${key}"${data}`;
    const address = `"$BASE${path}${queries[name] ?? ''}"`;
    const isLong = `${options} ${address}`.length > WIDTH;
    return `${options}${isLong ? ' \\\n   ' : ''} ${address}`;
  });
}

function formatVariables(baseUrl: string, keys: DemoKeys, sample: DemoSample): readonly string[] {
  const { user_id, client_user_id, order_id } = sample;
  const values = {
    BASE: baseUrl,
    KEY: keys.integration,
    DESK: keys.clinician,
    USER_ID: user_id,
    CLIENT_USER_ID: encodeURIComponent(client_user_id),
    ORDER_ID: order_id,
  };
  return Object.entries(values).map(([name, value]) => `${name}=${value}`);
}

type DemoKeys = Readonly<Record<string, string>> & {
  readonly integration: string;
  readonly clinician: string;
};

export function formatDemoText(baseUrl: string, keys: DemoKeys, sample: DemoSample): string {
  const width = Math.max(...Object.keys(keys).map((label) => label.length));
  return [
    `Caregate is ready at ${baseUrl} with sample data about fictional people.`,
    '',
    'Paste these lines into a terminal first:',
    ...formatVariables(baseUrl, keys, sample).map((line) => `  ${line}`),
    '',
    'Then any of these, one for each read; those with $DESK are for people at a desk, here a clinician:',
    ...formatCurlLines(sample).map((line) => `  ${line}`),
    '',
    'API keys, one per role:',
    ...Object.entries(keys).map(([label, key]) => `  ${label.padEnd(width)}  ${key}`),
    '',
    `Documentation: ${baseUrl}/docs`,
    'Another port: --port 9090. Press Ctrl-C to stop.',
    '',
  ].join('\n');
}
