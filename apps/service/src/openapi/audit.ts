import { BULK_READ_RECORDS, RESOLVE_MISSES } from '../access/limits/read-watch.ts';
import type { OperationName } from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { ROLES } from '../operations/roles.ts';
import { recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { answer, parameters } from './shapes.ts';

/** The paths of the audit log: events, alarms and proofs. */
export function auditPaths(problems: (statuses: readonly number[]) => Json): Json {
  return {
    '/audit/events': {
      get: {
        ...about('listAuditEvents', 'List the audit events of the team, newest first'),
        description: `Returns only the events of the team of the API key. Events do not include their position in the log, which would reveal the number of records of all teams; \`/audit/proof\` with the \`record_id\` returns it as \`seq\`. To verify an event, add \`seq\` to its body and write it as RFC 8785 JSON: the leaf of the tree is the SHA-256 of a zero byte, the salt and that text. A page may have fewer events than its limit, or none: while \`next_cursor\` is not null, pass it as \`cursor\` with the same query. All pages are a snapshot of the log at the time of the first page. If several instances share a database, each writes its own log: without \`log\`, the events of all logs are returned in order of time, \`log_id\` is null, and each body contains the id of its log. ${allowed('listAuditEvents')}`,
        parameters: parameters('query', 'AuditEventsQuery'),
        responses: { 200: answer('AuditEventsPage'), ...problems([422]) },
      },
    },
    '/audit/alarms': {
      get: {
        ...about('listAuditAlarms', 'List the alarms of the team, newest first'),
        description: `Alarms of the team of the API key: use of emergency access, unusually often by one person or not reviewed, bulk reads (${english(BULK_READ_RECORDS)} records an hour with one key) and enumeration of client user ids (${english(RESOLVE_MISSES)} misses an hour), and an unusual number of audit records. Alarms of the service itself are available on its command line. ${allowed('listAuditAlarms')}`,
        parameters: parameters('query', 'AuditAlarmsQuery'),
        responses: { 200: answer('AuditEventsPage'), ...problems([422]) },
      },
    },
    '/audit/checkpoint': {
      get: {
        ...about('auditCheckpoint', 'Get the current signed checkpoint of the log'),
        description: `A signed note in the C2SP tlog-checkpoint format. Kept in another place, it proves later that no record was changed, removed or reordered. ${allowed('auditCheckpoint')}`,
        parameters: parameters('query', 'AuditLogQuery'),
        responses: { 200: plain, ...problems([422]) },
      },
    },
    '/audit/key': {
      get: {
        ...about('auditKey', 'Get the public key that verifies checkpoints'),
        description: `In the C2SP verifier key format. ${allowed('auditKey')}`,
        parameters: parameters('query', 'AuditLogQuery'),
        responses: { 200: plain, ...problems([422]) },
      },
    },
    '/audit/log/checkpoint': {
      get: {
        ...about('auditLogCheckpoint', 'Get the current signed checkpoint, beside its tiles'),
        description: `The same as \`/audit/checkpoint\`, where C2SP tlog-tiles has it: \`/audit/log\` is the prefix of the log. ${allowed('auditLogCheckpoint')}`,
        parameters: parameters('query', 'AuditLogQuery'),
        responses: { 200: plain, ...problems([422]) },
      },
    },
    '/audit/log/tile/{tile}': {
      get: {
        ...about('auditLogTile', 'Get hashes of the tree of the log'),
        description: `A hash tile of C2SP tlog-tiles, 32 bytes (SHA-256) for each node of the tree: \`0/x001/x234/067\` has 256, \`0/000.p/17\` the first 17. The path has slashes that are not encoded. Only tiles of the current checkpoint are served, and no entries. A full tile never changes and may be kept. ${allowed('auditLogTile')}`,
        parameters: [
          {
            name: 'tile',
            in: 'path',
            required: true,
            description: 'Level and index of the tile, and the width of a partial one.',
            schema: { type: 'string' },
            example: '0/000.p/1',
          },
          ...parameters('query', 'AuditLogQuery'),
        ],
        responses: { 200: tile, ...problems([404, 422]) },
      },
    },
    '/audit/proof': {
      get: {
        ...about(
          'auditProof',
          'Get a proof that a record is in the log, or that the log is append-only',
        ),
        description: `With \`record\` or \`seq\` an inclusion proof, with \`from\` a consistency proof (RFC 6962). \`size\` and \`to\` are tree sizes; the default is the size of the current \`checkpoint\`. ${allowed('auditProof')}`,
        parameters: parameters('query', 'AuditProofQuery'),
        responses: {
          200: answer('AuditInclusionProof', 'AuditConsistencyProof'),
          ...problems([404, 422]),
        },
      },
    },
  };
}

const english = (count: number): string => count.toLocaleString('en-US');

const plain = {
  description: 'Success',
  headers: recordedHeaders(),
  content: { 'text/plain': { schema: { type: 'string' } } },
};

const tile = {
  description: 'Success',
  headers: {
    ...recordedHeaders(),
    'cache-control': {
      required: true,
      description: 'A full tile may be kept by the client; a partial one must not be cached.',
      schema: { type: 'string', enum: ['private, max-age=31536000, immutable', 'no-store'] },
    },
  },
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};

function about(operationId: OperationName, summary: string): Json {
  return { operationId, tags: ['Audit'], summary };
}

function allowed(operation: OperationName): string {
  const roles = ROLES.filter((role) => PERMISSIONS[operation][role] === 'yes');
  return `Allowed for the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}
