import type {
  AnswerOf,
  OperationName as ReadName,
  ReadOperations,
  StaffRole,
} from '@caregate/domain/operations';
import type { SchemaName } from '@caregate/domain/schema';
import type * as validators from '@caregate/domain/validate';
import type { Disclose } from '../http/disclosure.ts';
import { orNotFound } from '../problem/problem-error.ts';
import type { SourceCall, SourceQuery, SourceResult, Stored } from '@caregate/data-store';
import type { Cursors } from './cursors.ts';
import type { DataCategory, FhirKind } from './operation-row.ts';
import type { Scope } from './roles.ts';

/** The service's part of an operation; the domain's catalogue has route, parameters, response and roles. */
export interface Read<Name extends ReadName> {
  readonly scope: ReadOperations[Name] extends { readonly programs: false } ? null : Scope;
  readonly masked?: readonly StaffRole[];
  readonly category: DataCategory;
  readonly fhir: FhirKind;
  readonly about: {
    readonly tag: 'Users' | 'Insurance' | 'Lab results' | 'Timeseries' | 'Desk';
    readonly summary: string;
    readonly description: string;
    /** Problem statuses in addition to those of all operations. */
    readonly problems: readonly number[];
    readonly example: AnswerOf<Name>;
  };
  answer(call: ReadCall<Name>): Promise<string | Buffer>;
}

export interface ReadCall<Name extends ReadName> extends SourceCall {
  readonly params: ShapeOf<Name, 'params'>;
  readonly query: ShapeOf<Name, 'query'>;
  readonly body: ShapeOf<Name, 'body'>;
  readonly teamId: string;
  readonly pause: NonNullable<SourceCall['pause']>;
  readonly sees: 'all' | 'masked';
  readonly cursors: Cursors;
  allows(operation: ReadName): boolean;
  find(query: SourceQuery<Name>): Promise<SourceResult<Name>>;
  /** Must be called before the response is returned. */
  readonly disclose: Disclose;
}

type ShapeOf<Name extends ReadName, Place extends 'params' | 'query' | 'body'> =
  ReadOperations[Name] extends Readonly<Record<Place, infer Schema extends SchemaName>>
    ? (typeof validators)[`validate${Schema}`] extends validators.Validator<infer Shape>
      ? Shape
      : never
    : undefined;

export function oneRecord(call: { disclose: Disclose }, found: Stored | undefined): string {
  const { body, userId } = orNotFound(found);
  call.disclose({ patients: [userId], recordCount: 1 });
  return body;
}

export const EXAMPLE_USER_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
export const EXAMPLE_TEAM_ID = '5a3c8f10-6d2b-4e7a-9c41-0f8b2d6e1a37';
export const EXAMPLE_ORDER_ID = '5d1f7c7e-4a0b-4b53-9a76-0a1f0d3c2b18';
