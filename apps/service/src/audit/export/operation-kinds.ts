import { ALARM_OPERATIONS } from '../system-record.ts';
import type { FhirKind } from '../../operations/operation-row.ts';
import { isOperation, OPERATIONS } from '../../operations/operations.ts';
import type { RecordBody } from '../record/record-body.ts';

/** Form of an operation in FHIR; `{user_id}` in the path of a search stands for the requested user. */
export type Kind =
  | Exclude<FhirKind, { readonly form: 'search' }>
  | { readonly form: 'search'; readonly method: string; readonly path: string };

const onCommandLine: readonly string[] = [
  'exportAudit',
  'exportPerson',
  'listAlarms',
  'proveInclusion',
  'showRecord',
];

export function kindOf(operation: string): Kind {
  if (isOperation(operation)) {
    const { fhir, method, path } = OPERATIONS[operation];
    return fhir.form === 'search' ? { ...fhir, method, path } : fhir;
  }
  if (ALARM_OPERATIONS.includes(operation)) {
    return { form: 'alert' };
  }
  return { form: onCommandLine.includes(operation) ? 'audit' : 'other' };
}

const parameters = [
  ...['start_date', 'end_date', 'updated_start_date', 'updated_end_date', 'provider'],
  ...['category', 'status', 'date', 'authored', '_lastUpdated', '_count'],
  ...['interpretation', 'order_key', 'order_direction', 'offset', 'limit', 'page', 'size'],
];

export function searchOf(
  { details }: RecordBody,
  { method, path }: Extract<Kind, { readonly form: 'search' }>,
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
  return `${method} ${path.replace('{user_id}', asked)}${text === '' ? '' : `?${text}`}`;
}
