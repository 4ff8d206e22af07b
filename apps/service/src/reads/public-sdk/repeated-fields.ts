import type { SchemaName } from '@caregate/domain/schema';

/** A field that says another one again. */
export interface RepeatedField {
  readonly of: string;
  readonly as: string;
}

/** What the public API's SDKs require besides, by the shape that has it; bodies and schemas are both made from this. */
export const REPEATED_FIELDS: Readonly<Partial<Record<SchemaName, RepeatedField>>> = {
  ConnectedSource: { of: 'source', as: 'provider' },
  Address: { of: 'zip_code', as: 'zip' },
  LabResultMetadata: { of: 'clia_number', as: 'clia_#' },
  MindfulnessMinutesPoint: { of: 'start', as: 'timestamp' },
};
/** The one field that is something else there: a number here, a text in the public API. */
export const AGE_AS_TEXT: { readonly shape: SchemaName; readonly field: string } = {
  shape: 'LabResultMetadata',
  field: 'age',
};
