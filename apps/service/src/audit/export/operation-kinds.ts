import type { OperationName } from '../../access/permission-table.ts';
import { ALARM_OPERATIONS } from '../log-operations.ts';
import type { RecordBody } from '../record-body.ts';

/** How an operation looks to FHIR. */
export type Kind =
  /** Of one thing that is named, of that FHIR type. */
  | { readonly form: 'read'; readonly resource: 'Patient' | 'Coverage' | 'DiagnosticReport' }
  /** Of what meets some conditions; `{user_id}` stands for who was asked for. */
  | { readonly form: 'search'; readonly path: string }
  /** Of the audit log itself. */
  | { readonly form: 'audit' }
  | { readonly form: 'alert' }
  | { readonly form: 'other' };

const kinds: Readonly<Record<OperationName, Kind>> = {
  listUsers: { form: 'search', path: '/v2/user' },
  resolveUser: { form: 'read', resource: 'Patient' },
  latestInsurance: { form: 'read', resource: 'Coverage' },
  labOrderResult: { form: 'read', resource: 'DiagnosticReport' },
  mindfulnessMinutes: {
    form: 'search',
    path: '/v2/timeseries/{user_id}/mindfulness_minutes/grouped',
  },
  askBreakGlass: { form: 'alert' },
  listBreakGlass: { form: 'other' },
  reviewBreakGlass: { form: 'other' },
  listAuditEvents: { form: 'audit' },
  listAuditAlarms: { form: 'audit' },
  auditCheckpoint: { form: 'audit' },
  auditProof: { form: 'audit' },
  auditKey: { form: 'audit' },
};

const onCommandLine: readonly string[] = [
  'exportAudit',
  'listAlarms',
  'proveInclusion',
  'showRecord',
];

export function kindOf(operation: string): Kind {
  if (Object.hasOwn(kinds, operation)) {
    return kinds[operation as OperationName];
  }
  if (ALARM_OPERATIONS.includes(operation)) {
    return { form: 'alert' };
  }
  return { form: onCommandLine.includes(operation) ? 'audit' : 'other' };
}

const parameters = ['start_date', 'end_date', 'provider', 'offset', 'limit'];

/** The search as far as the log holds it: the parameters that it allows itself to keep. */
export function searchOf(
  { details }: RecordBody,
  { path }: Extract<Kind, { readonly form: 'search' }>,
): string {
  const query = new URLSearchParams();
  for (const name of parameters) {
    const value = details[name];
    if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  const asked = String(details['asked_user_id'] ?? 'unknown');
  const text = query.toString();
  return `GET ${path.replace('{user_id}', asked)}${text === '' ? '' : `?${text}`}`;
}
