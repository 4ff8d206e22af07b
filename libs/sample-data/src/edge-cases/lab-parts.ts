import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { numbered } from './cases.ts';

export const WHEN = '2026-05-04T10:11:12+00:00';
export const transactionId = (number: number): string =>
  numbered('a3c0de00-0000-4000-a000-', number);

export const metadata: LabOrderResult['metadata'] = {
  age: 41,
  dob: '07/03/1985',
  clia_number: '99D0000101',
  patient: 'Tilda Marrowby',
  provider: 'Dr. Philippa Quartermaine',
  laboratory: 'Northfield Clinical Laboratory',
  date_reported: '2026-05-04',
  date_collected: '2026-05-01',
  date_received: '2026-05-02',
  specimen_number: '260501000042',
  status: 'final',
  interpretation: 'normal',
};

export const sodium: BiomarkerResult = {
  name: 'Sodium',
  slug: 'sodium',
  value: 140,
  result: '140',
  type: 'numeric',
  unit: 'mmol/L',
  timestamp: WHEN,
  min_range_value: 134,
  max_range_value: 144,
  is_above_max_range: false,
  is_below_min_range: false,
  interpretation: 'normal',
  loinc: '2951-2',
  loinc_slug: 'sodium',
};

export function named(number: number, changes: Partial<BiomarkerResult>): BiomarkerResult {
  return { ...sodium, name: `Marker ${number}`, slug: `marker-${number}`, ...changes };
}

export function list(...changes: readonly Partial<BiomarkerResult>[]): BiomarkerResult[] {
  return changes.map((change, index) => named(index + 1, change));
}

/** A result in words: no number, no range, no flags. */
export function words(result: string, type = 'coded_value'): Partial<BiomarkerResult> {
  return {
    result,
    type,
    value: null,
    unit: null,
    min_range_value: null,
    max_range_value: null,
    is_above_max_range: null,
    is_below_min_range: null,
    interpretation: null,
  };
}
