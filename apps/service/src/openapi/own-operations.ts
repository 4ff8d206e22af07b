import { EMERGENCY_MINUTES, LEAST_REASON_LETTERS } from '@caregate/domain';
import type { SchemaName } from '@caregate/domain/schema';
import { MOST_GRANTS } from '../access/break-glass-store.ts';
import { BULK_READ_RECORDS, RESOLVE_MISSES } from '../access/limits/read-watch.ts';
import {
  isOperation,
  isPublicRoute,
  OPERATIONS,
  type OperationName,
} from '../operations/operations.ts';
import type { OperationRow } from '../operations/operation-row.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { PUBLIC_ROUTES } from '../operations/public-routes.ts';
import { ROLES } from '../operations/roles.ts';
import { PROBLEMS } from '../problem/problems.ts';
import { openHeaders, recordedHeaders, type Json } from './headers.ts';
import { componentReference, parameters, requestBody } from './shapes.ts';

interface OwnDescription {
  readonly summary: string;
  readonly description?: string;
  /** Only for public routes. */
  readonly security?: readonly Json[];
  readonly path?: SchemaName;
  readonly query?: SchemaName;
  /** In addition to those of the schemas. */
  readonly parameters?: readonly Json[];
  readonly body?: SchemaName;
  /** 200, or 204 for an empty body, unless given. */
  readonly success?: number;
  /** One of these schemas, or parts of the response; null for an empty body. */
  readonly answer: readonly SchemaName[] | Json | null;
  /** In addition to those of all operations, bodies and parameters. */
  readonly problems?: readonly number[];
}

const ALWAYS: Readonly<Record<'operation' | 'public', readonly number[]>> = {
  operation: [400, 401, 403, 405, 429, 431, 500, 503],
  public: [400, 405, 429, 431, 500],
};
const WITH_BODY = [413, 415, 422];
/** Of requests before sign-in. */
const BEFORE_SIGN_IN = [401, 503];
/** The proof of the desk's key alone. */
const BY_DESK = [{ deskProof: [] }];
/** A session with its proof; no key. */
const BY_SESSION = [{ staffSession: [], deskProof: [] }];

const DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, OwnDescription>>>> = {
  'Emergency access': {
    askBreakGlass: {
      summary: 'Request emergency access to one patient',
      description: `For callers whose role or deployment does not permit access. Grants access to the data of one user for ${EMERGENCY_MINUTES} minutes, not renewable. The text of the reason has at least ${LEAST_REASON_LETTERS} letters or digits. Every response under the grant has the header \`x-break-glass-id\`. Each grant is recorded in the audit log before it takes effect, and must be reviewed by someone else. A person who signed in at the identity provider does so again: \`id_token\` and \`nonce_random\` of a sign-in of the last two minutes; the grant ends with the session. A person who asks again while their grant is in force is given the same one, with its end; a key is answered 409. Many grants by one person raise an alarm; ${MOST_GRANTS} in ${EMERGENCY_MINUTES} minutes are the most, then 429.`,
      body: 'BreakGlassRequest',
      success: 201,
      answer: ['BreakGlassGranted'],
      problems: [404, 409],
    },
    listBreakGlass: {
      summary: 'List the emergency access grants of the team',
      description:
        'In pages of 100: those waiting for review oldest first, or with `state=all` all of them newest first.',
      query: 'BreakGlassListQuery',
      answer: ['BreakGlassGrantList'],
    },
    endBreakGlass: {
      summary: 'End emergency access',
      description: 'By who has it, before it expires.',
      path: 'BreakGlassParams',
      answer: null,
      problems: [404],
    },
    reviewBreakGlass: {
      summary: 'Review an emergency access grant',
      description:
        'A grant can be reviewed once, and not by the key or person who used it. A reviewer who sends the same outcome and note again is answered as the first time; anything else is answered 409. The outcome `not_justified` ends the grant at once.',
      path: 'BreakGlassParams',
      body: 'BreakGlassReview',
      answer: ['BreakGlassGrant'],
      problems: [404, 409],
    },
  },
  Staff: {
    signInInfo: {
      summary: 'What a desk needs before anybody has signed in',
      answer: ['SignInInfo'],
    },
    enrolDesk: {
      summary: 'Enrol a desk with the key of the proof',
      description:
        'The code is that of `caregate desks enrol`: valid for 10 minutes, one desk and five tries. The key is an Ed25519 or P-256 key that the desk has made and keeps.',
      security: BY_DESK,
      body: 'DeskEnrolment',
      success: 201,
      answer: ['EnrolledDesk'],
      problems: [403, ...BEFORE_SIGN_IN],
    },
    beginSession: {
      summary: 'Sign a person in at a desk',
      description:
        'With an ID token of the clinic\'s identity provider, taken once, whose nonce is base64url(SHA-256(thumbprint of the desk\'s key, ".", `nonce_random`)); or, in a clinic without a provider, with a key that belongs to the person. The session lasts 10 minutes unless it is renewed, and 12 hours at most. `reason` in the problem says why a sign-in was refused.',
      security: [{ deskProof: [] }, { deskProof: [], teamApiKey: [] }],
      body: 'SessionRequest',
      success: 201,
      answer: ['Session'],
      problems: BEFORE_SIGN_IN,
    },
    readBadge: {
      summary: 'Find whose badge was read',
      description:
        'Only among the people with a session at this desk. A badge names a person and proves nothing.',
      security: BY_DESK,
      body: 'BadgeRead',
      answer: ['BadgeHolder'],
      problems: [404, ...BEFORE_SIGN_IN],
    },
    me: {
      summary: 'Who the caller is, and what the role may do',
      answer: ['Me'],
    },
    endSession: {
      summary: 'Sign out',
      answer: null,
    },
    renewSession: {
      summary: 'Renew the session for 10 minutes',
      answer: ['Session'],
      problems: WITH_BODY,
    },
    lockSession: {
      summary: 'Suspend the session until it is unlocked',
      answer: null,
      problems: WITH_BODY,
    },
    unlockSession: {
      summary: 'Unlock the session with the PIN',
      description:
        'Five wrong PINs of a person at a desk end the session; `tries_left` in the problem says how many are left.',
      body: 'PinEntry',
      answer: ['Session'],
      problems: [409],
    },
    setPin: {
      summary: 'Set the PIN',
      description: 'Within 10 minutes of the sign-in.',
      body: 'PinEntry',
      answer: null,
    },
  },
  Audit: {
    listAuditEvents: {
      summary: 'List the audit events of the team, newest first',
      description:
        'Returns only the events of the team of the API key. Events do not include their position in the log, which would reveal the number of records of all teams; `/audit/proof` with the `record_id` returns it as `seq`. To verify an event, add `seq` to its body and write it as RFC 8785 JSON: the leaf of the tree is the SHA-256 of a zero byte, the salt and that text. A page may have fewer events than its limit, or none: while `next_cursor` is not null, pass it as `cursor` with the same query. All pages are a snapshot of the log at the time of the first page. If several instances share a database, each writes its own log: without `log`, the events of all logs are returned in order of time, `log_id` is null, and each body contains the id of its log.',
      query: 'AuditEventsQuery',
      answer: ['AuditEventsPage'],
    },
    listAuditAlarms: {
      summary: 'List the alarms of the team, newest first',
      description: `Alarms of the team of the API key: use of emergency access, unusually often by one person or not reviewed, bulk reads (${english(BULK_READ_RECORDS)} records an hour with one key) and enumeration of client user ids (${english(RESOLVE_MISSES)} misses an hour), and an unusual number of audit records. Alarms of the service itself are available on its command line.`,
      query: 'AuditAlarmsQuery',
      answer: ['AuditEventsPage'],
    },
    auditCheckpoint: {
      summary: 'Get the current signed checkpoint of the log',
      description:
        'A signed note in the C2SP tlog-checkpoint format. Kept in another place, it proves later that no record was changed, removed or reordered.',
      query: 'AuditLogQuery',
      answer: content('text/plain'),
    },
    auditKey: {
      summary: 'Get the public key that verifies checkpoints',
      description: 'In the C2SP verifier key format.',
      query: 'AuditLogQuery',
      answer: content('text/plain'),
    },
    auditLogCheckpoint: {
      summary: 'Get the current signed checkpoint, beside its tiles',
      description:
        'The same as `/audit/checkpoint`, where C2SP tlog-tiles has it: `/audit/log` is the prefix of the log.',
      query: 'AuditLogQuery',
      answer: content('text/plain'),
    },
    auditLogTile: {
      summary: 'Get hashes of the tree of the log',
      description:
        'A hash tile of C2SP tlog-tiles, 32 bytes (SHA-256) for each node of the tree: `0/x001/x234/067` has 256, `0/000.p/17` the first 17. The path has slashes that are not encoded. Only tiles of the current checkpoint are served, and no entries. A full tile never changes and may be kept.',
      parameters: [
        {
          name: 'tile',
          in: 'path',
          required: true,
          description: 'Level and index of the tile, and the width of a partial one.',
          schema: { type: 'string' },
          example: '0/000.p/1',
        },
      ],
      query: 'AuditLogQuery',
      answer: {
        headers: {
          ...recordedHeaders(),
          'cache-control': {
            required: true,
            description: 'A full tile may be kept by the client; a partial one must not be cached.',
            schema: { type: 'string', enum: ['private, max-age=31536000, immutable', 'no-store'] },
          },
        },
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      problems: [404],
    },
    auditProof: {
      summary: 'Get a proof that a record is in the log, or that the log is append-only',
      description:
        'With `record` or `seq` an inclusion proof, with `from` a consistency proof (RFC 6962). `size` and `to` are tree sizes; the default is the size of the current `checkpoint`.',
      query: 'AuditProofQuery',
      answer: ['AuditInclusionProof', 'AuditConsistencyProof'],
      problems: [404],
    },
    listDisclosures: {
      summary: 'List who was shown data of a patient, newest first',
      description:
        'Accounting of disclosures (45 CFR 164.528): each answer to the team that showed data of the user, and what desks printed, copied, saved and exported. `how` tells a user who was asked for (`read`) from one in a list (`listed`). Names are those of now. A user of another team and an unknown one have none. A page may have fewer disclosures than its limit: while `next_cursor` is not null, pass it as `cursor` with the same query.',
      path: 'DisclosuresParams',
      query: 'DisclosuresQuery',
      answer: {
        headers: recordedHeaders('content-language', 'vary'),
        content: {
          'application/json': { schema: componentReference('DisclosureList') },
        },
      },
    },
    recordDeskEvent: {
      summary: 'Record that a desk prints, copies, saves or exports',
      description:
        'Wait for the response before the document is printed, copied, saved or exported: then its record is durable. `record_ids` are the `x-audit-record-id` of the answers in the document, all of this team; the patients of the event are those of these records, at most 5,000.',
      body: 'DeskEvent',
      success: 201,
      answer: ['DeskEventRecorded'],
    },
    exportAuditEvents: {
      summary: 'Export the audit events of the team, newest first',
      description:
        'CSV (RFC 4180; cells that begin like a formula are prefixed with an apostrophe) or FHIR R4 AuditEvents (IHE BALP), one in a line. In parts of about half a megabyte: while `x-next-cursor` is sent, pass it as `cursor` with the same query; the parts put together are one file. Positions in the log are not exported; `record_id` finds a record and its proof.',
      query: 'AuditExportQuery',
      answer: {
        headers: recordedHeaders('content-disposition', 'x-next-cursor'),
        ...content('text/csv', 'application/fhir+ndjson'),
      },
    },
    auditLogState: {
      summary: 'Get the state of the log and of its witnesses',
      description:
        'The log of the responding instance: its current checkpoint, the cosignatures of the witnesses, how many records came after them, and whether the log extends what the witnesses cosigned (or, without witnesses, what it was at the start of the service), which is verified for each response.',
      answer: ['AuditLogState'],
    },
  },
  Service: {
    about: {
      summary: 'Name and version of the service, with links to its documentation',
      answer: object({
        name: { type: 'string' },
        version: { type: 'string' },
        documentation: { type: 'string', format: 'uri-reference' },
        openapi: { type: 'string', format: 'uri-reference' },
        health: { type: 'string', format: 'uri-reference' },
      }),
    },
    healthz: { summary: 'Liveness check', answer: state() },
    readyz: {
      summary: 'Readiness check',
      description:
        '`degraded` means that the service is ready, but an upstream of some teams is failing.',
      answer: state({ detail: { type: 'string' } }),
      problems: [503],
    },
    problemType: {
      summary: 'Explanation of a problem type',
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
      answer: content('text/html'),
      problems: [404],
    },
  },
};

export function ownPaths(problems: (statuses: readonly number[]) => Json): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, operations] of Object.entries(DESCRIPTIONS)) {
    for (const [name, description] of Object.entries(operations)) {
      const { method, path } = routeOf(name);
      // OpenAPI cannot express that a parameter may contain slashes.
      const template = path.replace('{+', '{');
      const about = operation(tag, name, description, problems);
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
  const text = [description, tag === 'Staff' || tag === 'Service' ? undefined : allowed(name)];
  const params = [
    ...(own.parameters ?? []),
    ...parameters('path', own.path),
    ...parameters('query', own.query),
  ];
  const isPublic = isPublicRoute(name);
  const { success = answer === null ? 204 : 200, problems: further = [] } = own;
  const security = isPublic ? (own.security ?? []) : routeOf(name).session && BY_SESSION;
  const statuses = [
    ...ALWAYS[isPublic ? 'public' : 'operation'],
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
        headers: isPublic ? openHeaders() : recordedHeaders(),
        ...(isSchemas(answer) ? json(answer) : answer),
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

function content(...types: readonly string[]): Json {
  const schema = { type: 'string' };
  return { content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function object(properties: Json, optional: Json = {}): Json {
  const schema = {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
  };
  return { content: { 'application/json': { schema } } };
}

function state(optional?: Json): Json {
  return object({ status: { type: 'string', enum: ['ok', 'ready', 'degraded'] } }, optional);
}

function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([type, { status, title }]) =>
      `| ${status} | [/problems/${type}](problems/${type}) | ${title} |`,
  );
  return ['| status | type | title |', '| --- | --- | --- |', ...rows].join('\n');
}

function allowed(name: string): string | undefined {
  const roles = isOperation(name) ? ROLES.filter((role) => PERMISSIONS[name][role] === 'yes') : [];
  return `Allowed for the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}

function english(count: number): string {
  return count.toLocaleString('en-US');
}
