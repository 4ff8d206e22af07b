import { schemas, type SchemaName } from '@caregate/domain/schema';
import type { Profile } from '../config/service-config.ts';
import { PROBLEMS, type ProblemType } from '../problem/problems.ts';
import { publicSdkSchema } from '../common/public-sdk/public-sdk-schema.ts';
import texts from './document.json' with { type: 'json' };
import { HEADERS, problemHeaders, type Json } from './headers.ts';
import { componentReference, relocated } from './shapes.ts';
import { operationPaths } from './operations.ts';

export const SERVICE_NAME = 'Caregate health data service';
/** Schemas that are not components: parameters are documented individually, imports are not part of the API. */
const notComponents = /(?:Params|Query|Envelope)$/u;

export function openApiDocument(version: string, profile: Profile): Json {
  const paths = operationPaths(profile, problemReferences);
  const statuses = Object.values(PROBLEMS).map(({ status }) => status);
  return {
    openapi: '3.1.0',
    info: {
      title: SERVICE_NAME,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction(profile),
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ teamApiKey: [] }, { staffSession: [], deskProof: [] }],
    tags: texts.tags,
    paths,
    components: {
      securitySchemes: texts.securitySchemes,
      headers: HEADERS,
      responses: Object.fromEntries(
        statuses
          .filter((status) => JSON.stringify(paths).includes(problemReference(status)))
          .map((status) => [`Problem${status}`, problemResponse(status)]),
      ),
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .filter(([name]) => !notComponents.test(name))
          .map(([name, schema]) => [
            name,
            relocated(
              profile === 'public-sdk' ? publicSdkSchema(name as SchemaName, schema) : schema,
            ),
          ]),
      ),
    },
  };
}

function introduction(profile: Profile): string {
  return [
    "Read-only access to the health data of a team's users. Every operation requires a team API key in the header `x-service-api-key`, or the session of a person at a desk, and returns only the data of that team: records of other teams are reported as not found.",
    'Extensible enums (`x-extensible-enum`) may contain undocumented values, and any object may contain undocumented fields. Clients must tolerate both.',
    ...(profile === 'public-sdk'
      ? [
          'In this deployment the responses of the reads also have the fields that the SDKs of the public API require, and the age is a string (`CAREGATE_PROFILE=public-sdk`).',
        ]
      : []),
    'In addition to the documented headers, every response has the usual security headers for browsers (`content-security-policy`, `x-content-type-options` and others).',
    'Every error is a problem document (RFC 9457). `type` is stable and links to a page that explains the problem and what to do; `errors` lists the rejected parameters, never their values. All types are listed at `/problems/{type}`, below.',
  ].join('\n\n');
}

function problemReferences(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: problemReference(status) }]));
}

function problemReference(status: number): string {
  return `#/components/responses/Problem${status}`;
}

function problemResponse(status: number): Json {
  const types = (Object.keys(PROBLEMS) as ProblemType[]).filter(
    (type) => PROBLEMS[type].status === status,
  );
  const [type = 'internal'] = types;
  const { title, detail } = PROBLEMS[type];
  return {
    description: title,
    headers: problemHeaders(status),
    content: {
      'application/problem+json': {
        schema: componentReference('ProblemDetails'),
        example: {
          type: `/problems/${type}`,
          title,
          status,
          detail,
          ...(status === 422
            ? { errors: [{ parameter: 'start_date', reason: 'is required' }] }
            : {}),
          request_id: 'b0a6d7a4-55cf-4a43-8c0d-0f6f8a1f2e11',
        },
      },
    },
  };
}
