import {
  INTERPRETATIONS,
  isCalendarDate,
  type LabOrderResult,
  type OrderTransaction,
} from '@caregate/domain';
import { toNonBlank } from '../../people/name-text.ts';
import { parseStoredObject } from '../schema.ts';

export interface LabSummary {
  readonly name?: string | undefined;
  readonly birthDate?: string | undefined;
  /** Date on which the specimen was collected, else received, else reported. */
  readonly date?: string | undefined;
  readonly collected?: string | undefined;
  /** Date of the report, else `date`. */
  readonly reported?: string | undefined;
  readonly status?: string | undefined;
  /** Interpretation of the report, else the worst one of its results. */
  readonly interpretation?: string | undefined;
  readonly hasMissing?: boolean | undefined;
  readonly transaction?: OrderTransaction | undefined;
}

export function summarizeResult(body: string): LabSummary {
  const {
    metadata = {},
    results = [],
    missing_results: missing,
    order_transaction: transaction,
  } = parseStoredObject<LabOrderResult>(body);
  const { date_collected: collected, date_received: received, date_reported: reported } = metadata;
  const date = collected ?? received ?? reported ?? undefined;
  return {
    name: toNonBlank(metadata.patient),
    birthDate: parseBirthDate(metadata.dob),
    date,
    collected: collected ?? undefined,
    reported: reported ?? date,
    status: metadata.status ?? undefined,
    interpretation:
      metadata.interpretation ??
      [INTERPRETATIONS.critical, INTERPRETATIONS.abnormal].find((worst) =>
        results.some(({ interpretation }) => interpretation === worst),
      ),
    hasMissing: missing === undefined ? undefined : (missing ?? []).length > 0,
    transaction: transaction ?? undefined,
  };
}

/** Converts a report's date of birth, day/month/year, to YYYY-MM-DD. Returns undefined for any other text. */
export function parseBirthDate(dob: string | null | undefined): string | undefined {
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u.exec(dob ?? '') ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}
