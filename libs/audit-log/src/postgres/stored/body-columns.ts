import { parseBody } from '../../entry/record-body.ts';
import { patientKeys } from './patient-keys.ts';
import { bodyColumns } from './schema.ts';

const columns = Object.entries(bodyColumns);

/** Columns beside a body, for queries. */
export interface BesideBody {
  readonly columns: Readonly<Record<string, string | number | null>>;
  readonly patients: string | null;
}

/** The columns copied from a body, and its patients. */
export function besideBody(body: string): BesideBody {
  const fields = parseBody(body);
  const values = fields as unknown as Readonly<Record<string, unknown>>;
  return {
    columns: Object.fromEntries(
      columns.map(([name, type]) => [
        name,
        type === 'bigint' ? wholeNumber(values[name]) : text(values[name]),
      ]),
    ),
    patients: patientKeys(fields.patients),
  };
}

/** PostgreSQL does not support U+0000. */
export function asText(value: string): string {
  return value.replaceAll('\0', '\uFFFD');
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? asText(value) : null;
}

function wholeNumber(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null;
}
