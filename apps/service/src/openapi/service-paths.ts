import type { PublicRouteName } from '../operations/operations.ts';
import { PROBLEMS } from '../problem/problems.ts';
import { openHeaders } from './headers.ts';
import type { Json } from './json.ts';

/** What any of these may answer with. */
const always = [400, 405, 429, 431, 500];

interface Told {
  readonly answer: Json;
  readonly more?: readonly number[];
  readonly description?: string;
  readonly parameters?: readonly Json[];
}

/** The paths that tell nothing about anyone and need no key. */
export function servicePaths(problems: (statuses: readonly number[]) => Json): Json {
  const path = (
    operationId: PublicRouteName,
    summary: string,
    { answer, more = [], ...about }: Told,
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
    '/': path('about', 'What this is, and where its documentation is', {
      answer: json({
        name: { type: 'string' },
        version: { type: 'string' },
        documentation: reference,
        openapi: reference,
        health: reference,
      }),
    }),
    '/healthz': path('healthz', 'Whether the process is alive', { answer: json(state) }),
    '/readyz': path('readyz', 'Whether the service can answer now', {
      description: '`degraded` says that it can, and that an upstream of some team fails.',
      answer: json(state, { detail: { type: 'string' } }),
      more: [503],
    }),
    '/problems/{type}': path('problemType', 'What a problem means, and what to do', {
      description: 'What the `type` of each problem document leads to: a page for people.',
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
        description: 'Done',
        headers: openHeaders(),
        content: { 'text/html': { schema: { type: 'string' } } },
      },
      more: [404],
    }),
  };
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
    description: 'Done',
    headers: openHeaders(),
    content: { 'application/json': { schema } },
  };
}
