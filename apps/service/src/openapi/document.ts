import { schemas, type SchemaName } from '@caregate/domain/schema';
import type { Profile } from '../config/service-config.ts';
import { PROBLEMS, getProblemType } from '../problem/problems.ts';
import { toPublicSdkSchema } from '../common/public-sdk.ts';
import {
  buildSchemaReference,
  buildHeaders,
  type HeaderName,
  type Json,
  relocateReferences,
} from './components.ts';
import texts from './document.json' with { type: 'json' };
import { buildOperationPaths } from './operations.ts';

export const SERVICE_NAME = 'Caregate health data service';
/** Schemas that are not components: parameters are documented one by one, and imports are not part of the API. */
const nonComponentNames = /(?:Params|Query|Envelope)$/u;

export function buildOpenApiDocument(version: string, profile: Profile): Json {
  const paths = buildOperationPaths(profile, (statuses) =>
    Object.fromEntries(statuses.map((status) => [status, { $ref: getProblemReference(status) }])),
  );
  const text = JSON.stringify(paths);
  const [first, second, ...others] = texts.introduction;
  const introduction = [
    ...[first, second],
    ...(profile === 'public-sdk' ? [texts.publicSdk] : []),
    ...others,
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE_NAME,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction.join('\n\n'),
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ teamApiKey: [] }, { staffSession: [], deskProof: [] }],
    tags: texts.tags,
    paths,
    components: {
      securitySchemes: texts.securitySchemes,
      headers: texts.headers,
      responses: Object.fromEntries(
        Object.values(PROBLEMS)
          .filter(({ status }) => text.includes(getProblemReference(status)))
          .map(({ status }) => [`Problem${status}`, buildProblemResponse(status)]),
      ),
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => !nonComponentNames.test(name))
          .map(([name, schema]) => [
            name,
            relocateReferences(
              profile === 'public-sdk' ? toPublicSdkSchema(name as SchemaName, schema) : schema,
            ),
          ]),
      ),
    },
  };
}

function getProblemReference(status: number): string {
  return `#/components/responses/Problem${status}`;
}

const HEADER_BY_STATUS: Readonly<Record<number, HeaderName>> = {
  ...{ 401: 'www-authenticate', 405: 'allow', 429: 'retry-after', 503: 'retry-after' },
};
/** These responses are sent before authentication, so they have no audit record. */
const NEVER_RECORDED: readonly number[] = [401, 405, 408, 413, 414, 415, 429, 431];

function buildProblemResponse(status: number): Json {
  const type = getProblemType(status);
  const { title, detail } = PROBLEMS[type];
  const header = HEADER_BY_STATUS[status];
  return {
    description: title,
    headers: buildHeaders(
      !NEVER_RECORDED.includes(status),
      ...(header === undefined ? [] : [header]),
    ),
    content: {
      'application/problem+json': {
        schema: buildSchemaReference('ProblemDetails'),
        example: {
          ...{ type: `/problems/${type}`, title, status, detail },
          ...(status === 422 && { errors: [{ parameter: 'start_date', reason: 'is required' }] }),
          request_id: 'b0a6d7a4-55cf-4a43-8c0d-0f6f8a1f2e11',
        },
      },
    },
  };
}
