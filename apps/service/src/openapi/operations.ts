import { EMERGENCY_MINUTES, LEAST_REASON_LETTERS } from '@caregate/domain';
import {
  OPERATION_NAMES as READ_NAMES,
  READ_OPERATIONS,
  type OperationName as ReadName,
  type ReadOperation,
} from '@caregate/domain/operations';
import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';
import { toPublicSdkBody } from '../common/public-sdk.ts';
import type { Profile } from '../config/service-config.ts';
import { MOST_GRANTS } from '../auth/repositories/grant.repository.ts';
import {
  isProbe,
  isPublicRoute,
  type OperationName,
  type OperationRow,
  OPERATIONS,
  type PermittedName,
  PUBLIC_ROUTES,
  ROLES,
  findSubject,
} from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { UNMASKED_USER_FIELDS } from '../users/masked-users.ts';
import { PROBLEMS } from '../problem/problems.ts';
import {
  buildSchemaReference,
  buildHeaders,
  type HeaderName,
  type Json,
  buildParameters,
} from './components.ts';
import descriptions from './operations.json' with { type: 'json' };

/**
 * Description of an operation from `operations.json`, or from the row of a read. Common parameters, headers and
 * problems are added to it.
 */
interface Description {
  readonly summary: string;
  /** May contain names of `FACTS` in braces. */
  readonly description?: string;
  readonly security?: readonly Json[];
  readonly path?: SchemaName;
  readonly query?: SchemaName;
  readonly parameters?: readonly Json[];
  readonly body?: SchemaName;
  /** Status of success: 200, or 204 for an empty body, by default. */
  readonly success?: number;
  /** The response: one of these schemas, parts of an OpenAPI response, or null for an empty body. */
  readonly answer: readonly SchemaName[] | Json | null;
  readonly example?: object;
  readonly headers?: readonly HeaderName[];
  readonly problems?: readonly number[];
}

const ALWAYS: Readonly<Record<'operation' | 'public' | 'probe', readonly number[]>> = {
  operation: [400, 401, 403, 405, 429, 431, 500, 503],
  public: [400, 405, 429, 431, 500],
  probe: [400, 405, 431, 500],
};
const WITH_BODY = [413, 415, 422];
const TAGS: Readonly<Record<ReadOperation['category'], string>> = {
  ...{ user: 'Users', insurance: 'Insurance', lab_result: 'Lab results', timeseries: 'Timeseries' },
};
const BY_SESSION = [{ staffSession: [], deskProof: [] }];
const PROBLEM_TYPE: Json = {
  ...{ name: 'type', in: 'path', required: true },
  schema: { type: 'string', enum: Object.keys(PROBLEMS) },
  example: 'not-found',
};

const FACTS: Readonly<Record<string, string | number>> = {
  emergency_minutes: EMERGENCY_MINUTES,
  least_reason_letters: LEAST_REASON_LETTERS,
  most_grants: MOST_GRANTS,
  problem_table: renderProblemTable(),
};

export function buildOperationPaths(
  profile: Profile,
  problems: (statuses: readonly number[]) => Json,
): Json {
  const paths: Record<string, Json> = {};
  const add = (tag: string, name: string, description: Description): void => {
    const { method, path } = findRoute(name);
    const operation = describeOperation(tag, name, description, problems);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const name of READ_NAMES) {
    const row: ReadOperation = READ_OPERATIONS[name];
    add(
      row.scope === null ? 'Desk' : TAGS[row.category],
      name,
      buildReadDescription(name, row, profile),
    );
  }
  for (const [tag, operations] of Object.entries(descriptions)) {
    for (const [name, description] of Object.entries<unknown>(operations)) {
      add(tag, name, description as Description);
    }
  }
  return paths;
}

function buildReadDescription(name: ReadName, row: ReadOperation, profile: Profile): Description {
  const { params, query, body, answer, summary, description, problems = [] } = row;
  const schema: JsonSchema = schemas[answer];
  const example = JSON.stringify(schema.examples?.[0]);
  return {
    ...{ summary, description },
    ...(params !== undefined && { path: params }),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    answer: [answer],
    example: JSON.parse(
      profile === 'public-sdk' ? toPublicSdkBody(answer, example) : example,
    ) as object,
    headers: findSubject(name) === undefined ? [] : ['x-break-glass-id'],
    problems: [...(params === undefined ? [] : [404]), 422, 502, 504, ...problems],
  };
}

function findRoute(name: string): Pick<OperationRow, 'method' | 'path' | 'session'> {
  return isPublicRoute(name) ? PUBLIC_ROUTES[name] : OPERATIONS[name as OperationName];
}

function describeOperation(
  tag: string,
  name: string,
  { summary, description, body, answer, example, ...own }: Description,
  problems: (statuses: readonly number[]) => Json,
): Json {
  const facts = description?.replaceAll(/\{(\w+)\}/gu, (_, fact: string) => String(FACTS[fact]));
  const text = [facts, ...(tag === 'Staff' || tag === 'Service' ? [] : describePermissions(name))];
  const params = [
    ...(name === 'problemType' ? [PROBLEM_TYPE] : (own.parameters ?? [])),
    ...buildParameters('path', own.path),
    ...buildParameters('query', own.query),
  ];
  const isPublic = isPublicRoute(name);
  const { success = answer === null ? 204 : 200, problems: further = [] } = own;
  const security = isPublic ? (own.security ?? []) : findRoute(name).session && BY_SESSION;
  const statuses = [
    ...ALWAYS[isProbe(name) ? 'probe' : isPublic ? 'public' : 'operation'],
    ...(body === undefined ? [] : WITH_BODY),
    ...(own.path === undefined && own.query === undefined ? [] : [422]),
    ...further,
  ];
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description !== undefined && { description: text.join('\n\n') }),
    ...(security !== undefined && { security }),
    ...(params.length > 0 && { parameters: params }),
    ...(body !== undefined && { requestBody: { required: true, ...buildJsonContent([body]) } }),
    responses: {
      [success]: {
        description: answer === null ? 'Success, without a body' : 'Success',
        ...(isSchemas(answer) ? buildJsonContent(answer, example) : answer),
        headers: {
          ...buildHeaders(!isPublic, ...(isPublic ? [] : (own.headers ?? []))),
          ...(isSchemas(answer) ? undefined : (answer?.['headers'] as Json | undefined)),
        },
      },
      ...problems(statuses),
    },
  };
}

function isSchemas(answer: Description['answer']): answer is readonly SchemaName[] {
  return Array.isArray(answer);
}

function buildJsonContent(names: readonly SchemaName[], example?: object): Json {
  const [first, ...others] = names.map(buildSchemaReference);
  const schema = others.length === 0 ? first : { oneOf: [first, ...others] };
  return {
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

function describePermissions(name: string): string[] {
  if (!Object.hasOwn(PERMISSIONS, name)) {
    return [];
  }
  const row = PERMISSIONS[name as PermittedName];
  const listNames = (names: readonly string[]): string =>
    names.map((each) => `\`${each}\``).join(', ');
  const listRolesWith = (cell: string): string =>
    listNames(ROLES.filter((role) => row[role] === cell));
  const scope = `, and for \`integration\` with the scope \`${row.integration}\``;
  const masked = listRolesWith('mask');
  return [
    `Allowed for the roles ${listRolesWith('yes')}${row.integration === 'no' ? '' : scope}. A deployment can restrict this further.`,
    ...(masked === ''
      ? []
      : [
          `Masked for the roles ${masked}: users have only ${listNames(UNMASKED_USER_FIELDS)}; \`connected_sources\` is always empty.`,
        ]),
  ];
}

function renderProblemTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `| ${status} | [/problems/${type}](problems/${type}) | ${title} |`,
  );
  return ['| status | type | title |', '| --- | --- | --- |', ...rows].join('\n');
}
