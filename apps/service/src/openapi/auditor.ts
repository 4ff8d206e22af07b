import type { OperationName } from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { ROLES } from '../operations/roles.ts';
import { recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';
import { answer, componentReference, parameters, requestBody } from './shapes.ts';

/** The paths of the auditor's desk, and of what desks tell. */
export function auditorPaths(problems: (statuses: readonly number[]) => Json): Json {
  return {
    '/audit/patients/{user_id}/disclosures': {
      get: {
        ...about('listDisclosures', 'List who was shown data of a patient, newest first'),
        description: `Accounting of disclosures (45 CFR 164.528): each answer to the team that showed data of the user, and what desks printed, copied, saved and exported. \`how\` tells a user who was asked for (\`read\`) from one in a list (\`listed\`). Names are those of now. A user of another team and an unknown one have none. A page may have fewer disclosures than its limit: while \`next_cursor\` is not null, pass it as \`cursor\` with the same query. ${allowed('listDisclosures')}`,
        parameters: [
          ...parameters('path', 'DisclosuresParams'),
          ...parameters('query', 'DisclosuresQuery'),
        ],
        responses: { 200: disclosures, ...problems([422]) },
      },
    },
    '/audit/desk-events': {
      post: {
        ...about('recordDeskEvent', 'Record that a desk prints, copies, saves or exports'),
        description: `Wait for the response before the document is printed, copied, saved or exported: then its record is durable. \`record_ids\` are the \`x-audit-record-id\` of the answers in the document, all of this team; the patients of the event are those of these records, at most 5,000. ${allowed('recordDeskEvent')}`,
        requestBody: requestBody('DeskEvent'),
        responses: { 201: answer('DeskEventRecorded'), ...problems([413, 415, 422]) },
      },
    },
    '/audit/export': {
      get: {
        ...about('exportAuditEvents', 'Export the audit events of the team, newest first'),
        description: `CSV (RFC 4180; cells that begin like a formula are prefixed with an apostrophe) or FHIR R4 AuditEvents (IHE BALP), one in a line. In parts of about half a megabyte: while \`x-next-cursor\` is sent, pass it as \`cursor\` with the same query; the parts put together are one file. Positions in the log are not exported; \`record_id\` finds a record and its proof. ${allowed('exportAuditEvents')}`,
        parameters: parameters('query', 'AuditExportQuery'),
        responses: { 200: exported, ...problems([422]) },
      },
    },
    '/audit/log': {
      get: {
        ...about('auditLogState', 'Get the state of the log and of its witnesses'),
        description: `The log of the responding instance: its current checkpoint, the cosignatures of the witnesses, how many records came after them, and whether the log extends what the witnesses cosigned (or, without witnesses, what it was at the start of the service), which is verified for each response. ${allowed('auditLogState')}`,
        responses: { 200: answer('AuditLogState'), ...problems([]) },
      },
    },
  };
}

const text = { schema: { type: 'string' } };

const disclosures = {
  description: 'Success',
  headers: recordedHeaders('content-language', 'vary'),
  content: { 'application/json': { schema: componentReference('DisclosureList') } },
};

const exported = {
  description: 'Success',
  headers: recordedHeaders('content-disposition', 'x-next-cursor'),
  content: { 'text/csv': text, 'application/fhir+ndjson': text },
};

function about(operationId: OperationName, summary: string): Json {
  return { operationId, tags: ['Audit'], summary };
}

function allowed(operation: OperationName): string {
  const roles = ROLES.filter((role) => PERMISSIONS[operation][role] === 'yes');
  return `Allowed for the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}
