import {
  OPERATION_NAMES,
  READ_OPERATIONS,
  type OperationName,
  type ReadOperation,
} from '@caregate/domain/operations';
import { schemas, type SchemaName } from '@caregate/domain/schema';
import { UNMASKED_USER_FIELDS } from '../access/mask.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { READS } from '../operations/reads.ts';
import { ROLES } from '../operations/roles.ts';
import type { Profile } from '../config/service-config.ts';
import { PROBLEMS, type ProblemType } from '../problem/problems.ts';
import { publicSdkBody } from '../reads/public-sdk/public-sdk-body.ts';
import { publicSdkSchema } from '../reads/public-sdk/public-sdk-schema.ts';
import { auditPaths } from './audit.ts';
import { breakGlassPaths } from './break-glass.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { HEADERS, problemHeaders, recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { componentReference, parameters, relocated } from './shapes.ts';
import { servicePaths } from './service-paths.ts';

export const SERVICE_NAME = 'Caregate health data service';
const keyScheme = 'teamApiKey';
/** What any operation may answer with. */
const always = [400, 401, 403, 405, 429, 431, 500, 503];
/** What a read may answer with besides, where its data comes from an upstream. */
const ofUpstreams = [502, 504];
const TAGS = {
  Users: 'The people whose data the team has.',
  Insurance: "A user's insurance, the primary or another.",
  'Lab results': 'Results of laboratory orders.',
  Timeseries: 'What connected devices measured.',
  'Emergency access':
    'Access to one patient for those whom their role denies it, and its review (break-glass).',
  Audit: 'Who was shown what, and what proves that nothing of it was changed.',
  Service: 'The service itself. Needs no key, tells nothing about anyone.',
};
/** Schemas that are not spelt out as entities: parameters are told one by one, imports are no part of the API. */
const notComponents = /(?:Params|Query|Envelope)$/u;

/** The OpenAPI 3.1 document, from the same schemas that check the data and the same tables that guard it. */
export function openApiDocument(version: string, profile: Profile): Json {
  const paths = pathsOf(profile);
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
    security: [{ [keyScheme]: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        [keyScheme]: {
          type: 'apiKey',
          in: 'header',
          name: 'x-service-api-key',
          description: 'The key of a team. Send it once; a repeated header is refused.',
        },
      },
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

function pathsOf(profile: Profile): Json {
  const guarded = (statuses: readonly number[]): Json =>
    problemReferences([...always, ...statuses]);
  return {
    ...Object.fromEntries(
      OPERATION_NAMES.map((name) => [OPERATIONS[name].path, { get: operation(name, profile) }]),
    ),
    ...breakGlassPaths(guarded),
    ...auditPaths(guarded),
    ...servicePaths(problemReferences),
  };
}

function introduction(profile: Profile): string {
  const problems = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `| ${status} | [/problems/${type}](problems/${type}) | ${title} |`,
  );
  return [
    "Health data of the users of a team, read-only. Every operation asks for a team API key in the header `x-service-api-key` and answers from that team's data alone: what belongs to another team is not found, just as what does not exist.",
    'Text that is not documented may appear in any open list of values (`x-extensible-enum`), and fields that are not documented may appear in any object. Keep both.',
    ...(profile === 'public-sdk'
      ? [
          'This deployment answers the five reads with the fields that the SDKs of the public API require besides, and the age as a text (`CAREGATE_PROFILE=public-sdk`).',
        ]
      : []),
    'Besides the headers that are named here every answer carries the usual security headers for browsers (`content-security-policy`, `x-content-type-options` and their kin).',
    '## Problems',
    'Every error is a problem document (RFC 9457). Programs rely on `type`, which leads to a page that says what it means and what to do; `errors` names each parameter that was refused and never repeats its value.',
    ['| status | type | title |', '| --- | --- | --- |', ...problems].join('\n'),
  ].join('\n\n');
}

function operation(name: OperationName, profile: Profile): Json {
  const { params, query, answer }: ReadOperation = READ_OPERATIONS[name];
  const { about, subject } = READS[name];
  return {
    operationId: name,
    tags: [about.tag],
    summary: about.summary,
    description: `${about.description}\n\n${whoMay(name)}`,
    parameters: [...parameters('path', params), ...parameters('query', query)],
    responses: {
      200: {
        description: 'Done',
        headers: subject === null ? recordedHeaders() : recordedHeaders('x-break-glass-id'),
        content: {
          'application/json': {
            schema: componentReference(answer),
            example: example(answer, about.example, profile),
          },
        },
      },
      ...problemReferences([...always, ...ofUpstreams, ...about.problems]),
    },
  };
}

function example(answer: SchemaName, plain: object, profile: Profile): unknown {
  return profile === 'public-sdk'
    ? (JSON.parse(publicSdkBody(answer, JSON.stringify(plain))) as unknown)
    : plain;
}

function problemReferences(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: problemReference(status) }]));
}

function problemReference(status: number): string {
  return `#/components/responses/Problem${status}`;
}

/** The permission table's row in words, and what masking leaves. */
function whoMay(name: OperationName): string {
  const row = PERMISSIONS[name];
  const rolesThat = (cell: string): string =>
    ROLES.filter((role) => row[role] === cell)
      .map((role) => `\`${role}\``)
      .join(', ');
  const masked = rolesThat('mask');
  return [
    `Allowed to the roles ${rolesThat('yes')}, and to \`integration\` with the scope \`${row.integration}\`. A deployment may allow less.`,
    ...(masked === ''
      ? []
      : [
          `Masked for the roles ${masked}: each user has only ${UNMASKED_USER_FIELDS.map((field) => `\`${field}\``).join(', ')}; \`connected_sources\` is there and empty.`,
        ]),
  ].join('\n\n');
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
