import { EMERGENCY_MINUTES, LEAST_REASON_LETTERS } from '@caregate/domain';
import { MOST_GRANTS } from '../access/break-glass-store.ts';
import type { OperationName } from '../operations/operations.ts';
import { PERMISSIONS } from '../operations/permission-table.ts';
import { ROLES } from '../operations/roles.ts';
import type { Json } from './json.ts';
import { recordedHeaders } from './headers.ts';
import { answer, parameters, requestBody } from './shapes.ts';

/** The paths of emergency access (break-glass). */
export function breakGlassPaths(problems: (statuses: readonly number[]) => Json): Json {
  return {
    '/access/break-glass': {
      post: {
        ...about('askBreakGlass', 'Request emergency access to one patient'),
        description: `For callers whose role or deployment does not permit access. Grants access to the data of one user for ${EMERGENCY_MINUTES} minutes, not renewable. The text of the reason has at least ${LEAST_REASON_LETTERS} letters or digits. Every response under the grant has the header \`x-break-glass-id\`. Each grant is recorded in the audit log before it takes effect, and must be reviewed by someone else. A person who signed in at the identity provider does so again: \`id_token\` and \`nonce_random\` of a sign-in of the last two minutes; the grant ends with the session. A person who asks again while their grant is in force is given the same one, with its end; a key is answered 409. Many grants by one person raise an alarm; ${MOST_GRANTS} in ${EMERGENCY_MINUTES} minutes are the most, then 429. ${allowed('askBreakGlass')}`,
        requestBody: requestBody('BreakGlassRequest'),
        responses: {
          201: answer('BreakGlassGranted'),
          ...problems([404, 409, 413, 415, 422]),
        },
      },
      get: {
        ...about('listBreakGlass', 'List the emergency access grants of the team'),
        description: `In pages of 100: those waiting for review oldest first, or with \`state=all\` all of them newest first. ${allowed('listBreakGlass')}`,
        parameters: parameters('query', 'BreakGlassListQuery'),
        responses: { 200: answer('BreakGlassGrantList'), ...problems([422]) },
      },
    },
    '/access/break-glass/{break_glass_id}': {
      delete: {
        ...about('endBreakGlass', 'End emergency access'),
        description: `By who has it, before it expires. ${allowed('endBreakGlass')}`,
        parameters: parameters('path', 'BreakGlassParams'),
        responses: {
          204: { description: 'Success, without a body', headers: recordedHeaders() },
          ...problems([404, 422]),
        },
      },
    },
    '/access/break-glass/{break_glass_id}/review': {
      post: {
        ...about('reviewBreakGlass', 'Review an emergency access grant'),
        description: `A grant can be reviewed once, and not by the key or person who used it. A reviewer who sends the same outcome and note again is answered as the first time; anything else is answered 409. The outcome \`not_justified\` ends the grant at once. ${allowed('reviewBreakGlass')}`,
        parameters: parameters('path', 'BreakGlassParams'),
        requestBody: requestBody('BreakGlassReview'),
        responses: { 200: answer('BreakGlassGrant'), ...problems([404, 409, 413, 415, 422]) },
      },
    },
  };
}

function about(operationId: OperationName, summary: string): Json {
  return { operationId, tags: ['Emergency access'], summary };
}

function allowed(operation: OperationName): string {
  const roles = ROLES.filter((role) => PERMISSIONS[operation][role] === 'yes');
  return `Allowed for the roles ${roles.map((role) => `\`${role}\``).join(', ')}.`;
}
