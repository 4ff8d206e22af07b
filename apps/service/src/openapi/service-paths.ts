import type { PublicRouteName } from '../operations/operations.ts';
import { PROBLEMS } from '../problem/problems.ts';
import { openHeaders } from './headers.ts';
import type { Json } from './json.ts';

/** Problem statuses of these paths. */
const always = [400, 405, 429, 431, 500];

interface PathDescription {
  readonly answer: Json;
  readonly more?: readonly number[];
  readonly description?: string;
  readonly parameters?: readonly Json[];
}

/** The public paths, which return no personal data. */
export function servicePaths(problems: (statuses: readonly number[]) => Json): Json {
  const path = (
    operationId: PublicRouteName,
    summary: string,
    { answer, more = [], ...about }: PathDescription,
  ): Json => ({
    get: {
      operationId,
      tags: ['Service'],
      summary,
      security: [],
      ...about,
      responses: { 200: answer, ...problems([...always, ...more]) },
    },
  });
  return {
    '/': path('about', 'Name and version of the service, with links to its documentation', {
      answer: json({
        name: { type: 'string' },
        version: { type: 'string' },
        documentation: reference,
        openapi: reference,
        health: reference,
      }),
    }),
    '/healthz': path('healthz', 'Liveness check', { answer: json(state) }),
    '/readyz': path('readyz', 'Readiness check', {
      description:
        '`degraded` means that the service is ready, but an upstream of some teams is failing.',
      answer: json(state, { detail: { type: 'string' } }),
      more: [503],
    }),
    '/problems/{type}': path('problemType', 'Explanation of a problem type', {
      description: `The HTML page that the \`type\` of a problem document refers to.\n\n${problemTable()}`,
      parameters: [
        {
          name: 'type',
          in: 'path',
          required: true,
          schema: { type: 'string', enum: Object.keys(PROBLEMS) },
          example: 'not-found',
        },
      ],
      answer: {
        description: 'Success',
        headers: openHeaders(),
        content: { 'text/html': { schema: { type: 'string' } } },
      },
      more: [404],
    }),
  };
}

function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `| ${status} | [/problems/${type}](problems/${type}) | ${title} |`,
  );
  return ['| status | type | title |', '| --- | --- | --- |', ...rows].join('\n');
}

const reference = { type: 'string', format: 'uri-reference' };
const state = { status: { type: 'string', enum: ['ok', 'ready', 'degraded'] } };

function json(properties: Json, optional: Json = {}): Json {
  const schema = {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
  };
  return {
    description: 'Success',
    headers: openHeaders(),
    content: { 'application/json': { schema } },
  };
}
