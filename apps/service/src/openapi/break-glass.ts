import {
  LONGEST_TEXT,
  OUTCOMES,
  REASON_CODES,
  SHORTEST_TEXT,
} from '../access/break-glass/break-glass-store.ts';
import { PERMISSIONS, type OperationName } from '../access/permission-table.ts';
import { ROLES } from '../access/roles.ts';
import { recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';

/** The paths of emergency access (break-glass), which the access room adds to the five reads. */
export function breakGlassPaths(problems: (statuses: readonly number[]) => Json): Json {
  return {
    '/access/break-glass': {
      post: {
        ...about('askBreakGlass', 'Ask for emergency access to one patient'),
        description: `For a person whom role or deployment denies. Opens the data of one user for 30 minutes, not renewable; every answer under it carries \`x-break-glass-id\`; each use is reviewed by someone else. ${allowed('askBreakGlass')}`,
        requestBody: body(['reason_code', 'text', 'user_id'], {
          reason_code: { type: 'string', enum: REASON_CODES },
          text: { type: 'string', minLength: SHORTEST_TEXT, maxLength: LONGEST_TEXT },
          user_id: { type: 'string', format: 'uuid' },
        }),
        responses: {
          201: answer(
            object({
              break_glass_id: { type: 'string' },
              user_id: { type: 'string', format: 'uuid' },
              expires_at: moment,
            }),
          ),
          ...problems([404, 409, 413, 415, 422]),
        },
      },
      get: {
        ...about('listBreakGlass', 'List emergency accesses of the team'),
        description: allowed('listBreakGlass'),
        parameters: [
          {
            name: 'state',
            in: 'query',
            required: false,
            description: 'Those that await review, or all.',
            schema: { type: 'string', enum: ['open', 'all'], default: 'open' },
          },
        ],
        responses: {
          200: answer(object({ grants: { type: 'array', items: grant } })),
          ...problems([422]),
        },
      },
    },
    '/access/break-glass/{break_glass_id}/review': {
      post: {
        ...about('reviewBreakGlass', 'Review an emergency access'),
        description: `Once, and not by whoever used it. ${allowed('reviewBreakGlass')}`,
        parameters: [
          { name: 'break_glass_id', in: 'path', required: true, schema: { type: 'string' } },
        ],
        requestBody: body(['outcome'], {
          outcome: { type: 'string', enum: OUTCOMES },
          note: { type: 'string', maxLength: LONGEST_TEXT },
        }),
        responses: { 200: answer(grant), ...problems([404, 409, 413, 415, 422]) },
      },
    },
  };
}

const moment = { type: 'string', format: 'date-time' };
const orNull = (type: string, format?: string): Json => ({
  type: [type, 'null'],
  ...(format === undefined ? {} : { format }),
});

const grant = object({
  break_glass_id: { type: 'string' },
  team_id: { type: 'string', format: 'uuid' },
  key_id: { type: 'string' },
  key_label: { type: 'string' },
  role: { type: 'string', enum: ROLES },
  user_id: { type: 'string', format: 'uuid' },
  reason_code: { type: 'string', enum: REASON_CODES },
  text: { type: 'string' },
  granted_at: moment,
  expires_at: moment,
  review_due_at: moment,
  overdue: { type: 'boolean' },
  reviewed_at: orNull('string', 'date-time'),
  reviewed_by: orNull('string'),
  outcome: orNull('string'),
  note: orNull('string'),
});

function about(operationId: OperationName, summary: string): Json {
  return { operationId, tags: ['Emergency access'], summary };
}

function allowed(operation: OperationName): string {
  const roles = ROLES.filter((role) => PERMISSIONS[operation][role] === 'yes');
  return `Allowed to the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}

function object(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function body(required: readonly string[], properties: Json): Json {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return { required: true, content: { 'application/json': { schema } } };
}

function answer(schema: Json): Json {
  return {
    description: 'Done',
    headers: recordedHeaders(),
    content: { 'application/json': { schema } },
  };
}
