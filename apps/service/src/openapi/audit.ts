import { BULK_READ_RECORDS, RESOLVE_MISSES } from '../access/limits/read-watch.ts';
import type { OperationName } from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { ROLES } from '../operations/roles.ts';
import { recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { answer, parameters } from './shapes.ts';

/** The paths of the audit log: what was recorded of the team, and what proves that nothing was changed. */
export function auditPaths(problems: (statuses: readonly number[]) => Json): Json {
  return {
    '/audit/events': {
      get: {
        ...about('listAuditEvents', 'List what was recorded of the team, newest first'),
        description: `What was recorded of the own team and nothing else. An event has no position in the log, which would count the records of all teams; \`/audit/proof\` with its \`record_id\` says it, as \`seq\`. With that among its members the body in RFC 8785 form is what was hashed: the leaf of the tree is SHA-256 of a zero byte, the salt and the body. A page may hold fewer events than it could, or none: while \`next_cursor\` is not null, pass it as \`cursor\` with the same query to read on. The pages keep to the log as it was at the first one. With many instances on one database each writes a log of its own: without \`log\` the events are of all of them, by their times, \`log_id\` is null, and each body names its log. ${allowed('listAuditEvents')}`,
        parameters: parameters('query', 'AuditEventsQuery'),
        responses: { 200: answer('AuditEventsPage'), ...problems([422]) },
      },
    },
    '/audit/alarms': {
      get: {
        ...about('listAuditAlarms', 'List what an auditor should look at, newest first'),
        description: `Emergency accesses, bulk reads (a key that was shown ${english(BULK_READ_RECORDS)} records an hour, in lists or one by one) and client user ids tried out (${english(RESOLVE_MISSES)} misses an hour), in the own team. What concerns the whole service is told at its command line. ${allowed('listAuditAlarms')}`,
        parameters: parameters('query', 'AuditAlarmsQuery'),
        responses: { 200: answer('AuditEventsPage'), ...problems([422]) },
      },
    },
    '/audit/checkpoint': {
      get: {
        ...about('auditCheckpoint', 'Read the signed checkpoint of the log as it is now'),
        description: `A note in the C2SP tlog-checkpoint form. Kept elsewhere, it proves later that no record was changed, removed, reordered or cut off. ${allowed('auditCheckpoint')}`,
        parameters: parameters('query', 'AuditLogQuery'),
        responses: { 200: plain, ...problems([422]) },
      },
    },
    '/audit/key': {
      get: {
        ...about('auditKey', 'Read the public key that signs checkpoints'),
        description: `In the C2SP form of a verifier key. ${allowed('auditKey')}`,
        parameters: parameters('query', 'AuditLogQuery'),
        responses: { 200: plain, ...problems([422]) },
      },
    },
    '/audit/proof': {
      get: {
        ...about('auditProof', 'Prove that a record is in the log, or that the log only grew'),
        description: `With \`record\` or \`seq\` an inclusion proof, with \`from\` a consistency proof (RFC 6962). \`size\` and \`to\` are sizes of the tree; without them it is the one that \`checkpoint\` signs. ${allowed('auditProof')}`,
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
  description: 'Done',
  headers: recordedHeaders(),
  content: { 'text/plain': { schema: { type: 'string' } } },
};

function about(operationId: OperationName, summary: string): Json {
  return { operationId, tags: ['Audit'], summary };
}

function allowed(operation: OperationName): string {
  const roles = ROLES.filter((role) => PERMISSIONS[operation][role] === 'yes');
  return `Allowed to the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}
