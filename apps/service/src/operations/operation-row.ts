import type { Role, Scope } from './roles.ts';

/** `yes`, `no`, `mask` (the masked form), or the scope that the key must have. */
export type Cell = 'yes' | 'mask' | 'no' | Scope;

export type PermissionRow = Readonly<Record<Role, Cell>>;

export type DataCategory = 'user' | 'insurance' | 'lab_result' | 'timeseries' | 'access' | 'audit';

/** How an operation looks to FHIR, for exports of the audit log. */
export type FhirKind =
  | {
      readonly form: 'read';
      readonly resource:
        | 'Patient'
        | 'Coverage'
        | 'ServiceRequest'
        | 'DiagnosticReport'
        | 'Observation';
    }
  | { readonly form: 'search' }
  | { readonly form: 'audit' }
  /** Data that leaves the service: print, file, clipboard. */
  | { readonly form: 'export' }
  | { readonly form: 'alert' }
  | { readonly form: 'other' };

export const SUBJECTS = ['user_id', 'client_user_id', 'order_id'] as const;
export type Subject = (typeof SUBJECTS)[number];

export interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With path parameters as `{name}`; `{+name}` at the end takes slashes too (RFC 6570). */
  readonly path: string;
  /** Another path to the same operation. */
  readonly also?: { readonly method: 'POST'; readonly path: string };
  readonly category: DataCategory;
  readonly fhir: FhirKind;
  /** Only for people: with an `active` session, or an `open` one, which may be locked. */
  readonly session?: 'active' | 'open';
}

export interface PermittedRow extends OperationRow {
  readonly permission: PermissionRow;
}
