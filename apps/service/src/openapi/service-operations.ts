import { EMERGENCY_MINUTES, LEAST_REASON_LETTERS } from '@caregate/domain';
import type { SchemaName } from '@caregate/domain/schema';
import { MOST_GRANTS } from '../access/break-glass-store.ts';
import {
  isPublicRoute,
  OPERATIONS,
  type OperationName,
  type PermittedName,
} from '../operations/operations.ts';
import type { OperationRow } from '../operations/operation-row.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { isProbe, PUBLIC_ROUTES } from '../operations/public-routes.ts';
import { ROLES } from '../operations/roles.ts';
import { PROBLEMS } from '../problem/problems.ts';
import { type HeaderName, OF_ALL, openHeaders, recordedHeaders, type Json } from './headers.ts';
import descriptions from './service-operations.json' with { type: 'json' };
import { componentReference, parameters, requestBody } from './shapes.ts';

/** In `service-operations.json`. Parameters, headers and problems come on top of those that all operations have. */
interface OwnDescription {
  readonly summary: string;
  /** With `FACTS` in braces. */
  readonly description?: string;
  readonly security?: readonly Json[];
  readonly path?: SchemaName;
  readonly query?: SchemaName;
  readonly parameters?: readonly Json[];
  readonly body?: SchemaName;
  /** 200, or 204 for an empty body, unless given. */
  readonly success?: number;
  /** One of these schemas, or parts of the response; null for an empty body. */
  readonly answer: readonly SchemaName[] | Json | null;
  readonly headers?: readonly HeaderName[];
  readonly problems?: readonly number[];
}

const ALWAYS: Readonly<Record<'operation' | 'public' | 'probe', readonly number[]>> = {
  operation: OF_ALL,
  public: [400, 405, 429, 431, 500],
  probe: [400, 405, 431, 500],
};
const WITH_BODY = [413, 415, 422];
const BY_SESSION = [{ staffSession: [], deskProof: [] }];
const PROBLEM_TYPE: Json = {
  name: 'type',
  in: 'path',
  required: true,
  schema: { type: 'string', enum: Object.keys(PROBLEMS) },
  example: 'not-found',
};

const FACTS: Readonly<Record<string, string | number>> = {
  emergency_minutes: EMERGENCY_MINUTES,
  least_reason_letters: LEAST_REASON_LETTERS,
  most_grants: MOST_GRANTS,
  problem_table: problemTable(),
};

export function servicePaths(problems: (statuses: readonly number[]) => Json): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, operations] of Object.entries(descriptions)) {
    for (const [name, description] of Object.entries<unknown>(operations)) {
      const { method, path } = routeOf(name);
      // OpenAPI cannot express that a parameter may contain slashes.
      const template = path.replace('{+', '{');
      const about = operation(tag, name, description as OwnDescription, problems);
      paths[template] = { ...paths[template], [method.toLowerCase()]: about };
    }
  }
  return paths;
}

function routeOf(name: string): Pick<OperationRow, 'method' | 'path' | 'session'> {
  return isPublicRoute(name) ? PUBLIC_ROUTES[name] : OPERATIONS[name as OperationName];
}

function operation(
  tag: string,
  name: string,
  { summary, description, body, answer, ...own }: OwnDescription,
  problems: (statuses: readonly number[]) => Json,
): Json {
  const told = description?.replaceAll(/\{(\w+)\}/gu, (_, fact: string) => String(FACTS[fact]));
  const text = [told, tag === 'Staff' || tag === 'Service' ? undefined : allowed(name)];
  const params = [
    ...(name === 'problemType' ? [PROBLEM_TYPE] : (own.parameters ?? [])),
    ...parameters('path', own.path),
    ...parameters('query', own.query),
  ];
  const isPublic = isPublicRoute(name);
  const { success = answer === null ? 204 : 200, problems: further = [] } = own;
  const security = isPublic ? (own.security ?? []) : routeOf(name).session && BY_SESSION;
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
    ...(description === undefined ? {} : { description: text.filter(Boolean).join(' ') }),
    ...(security === undefined ? {} : { security }),
    ...(params.length === 0 ? {} : { parameters: params }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses: {
      [success]: {
        description: answer === null ? 'Success, without a body' : 'Success',
        ...(isSchemas(answer) ? json(answer) : answer),
        headers: {
          ...(isPublic ? openHeaders() : recordedHeaders(...(own.headers ?? []))),
          ...(isSchemas(answer) ? undefined : (answer?.['headers'] as Json | undefined)),
        },
      },
      ...problems(statuses),
    },
  };
}

function isSchemas(answer: OwnDescription['answer']): answer is readonly SchemaName[] {
  return Array.isArray(answer);
}

function json(names: readonly SchemaName[]): Json {
  const [first, ...others] = names.map(componentReference);
  const schema = others.length === 0 ? first : { oneOf: [first, ...others] };
  return { content: { 'application/json': { schema } } };
}

function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `| ${status} | [/problems/${type}](problems/${type}) | ${title} |`,
  );
  return ['| status | type | title |', '| --- | --- | --- |', ...rows].join('\n');
}

function allowed(name: string): string | undefined {
  const row = Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name as PermittedName] : undefined;
  const roles = ROLES.filter((role) => row?.[role] === 'yes');
  return `Allowed for the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}
