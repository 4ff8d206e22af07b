import { IsBoolean, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { HasFormat, IsListOf, IsOpenEnum } from '../validation/decorators.ts';
import {
  BIOMARKER_TYPES,
  type BiomarkerType,
  INFERRED_FAILURE_TYPES,
  type InferredFailureType,
  type Interpretation,
  INTERPRETATIONS,
} from '../validation/known-values.ts';

/** An entry in the laboratory's catalog of markers. */
export class SourceMarkerDto {
  /** Number of the marker in the catalog. */
  @IsOptional()
  @IsInt()
  marker_id?: number | null;

  /** Name of the marker in the catalog. */
  @IsOptional()
  @IsString()
  name?: string | null;

  /** Slug of the marker in the catalog. */
  @IsOptional()
  @IsString()
  slug?: string | null;

  /** The laboratory's ID of the marker. */
  @IsOptional()
  @IsString()
  provider_id?: string | null;
}

abstract class BiomarkerDto {
  /** Display name of the biomarker. */
  @IsString()
  name!: string;

  /** Slug of the biomarker. */
  @IsString()
  slug!: string;

  /** LOINC code. */
  @IsOptional()
  @IsString()
  loinc?: string | null;

  /** Slug of the LOINC code. */
  @IsOptional()
  @IsString()
  loinc_slug?: string | null;

  /** The laboratory's ID of the biomarker. */
  @IsOptional()
  @IsString()
  provider_id?: string | null;

  /** The catalog entries that the biomarker comes from. */
  @IsOptional()
  @IsListOf(() => SourceMarkerDto)
  source_markers?: SourceMarkerDto[] | null;
}

/** One measured biomarker. */
export class BiomarkerResultDto extends BiomarkerDto {
  static readonly example: BiomarkerResultDto = {
    name: 'Glucose',
    slug: 'glucose',
    value: 92,
    result: '92',
    type: 'numeric',
    unit: 'mg/dL',
    timestamp: '2026-03-02T14:10:00+00:00',
    notes: null,
    min_range_value: 70,
    max_range_value: 99,
    is_above_max_range: false,
    is_below_min_range: false,
    interpretation: 'normal',
    loinc: '2345-7',
    loinc_slug: 'glucose-serum-plasma',
    provider_id: '001032',
    source_markers: [],
  };

  /** The result as a number in `unit`, if it is numeric. */
  @IsOptional()
  @IsNumber()
  value?: number | null;

  /** The result as reported by the laboratory, such as `5.4`, `>100` or `NEGATIVE`. */
  @IsString()
  result!: string;

  /** Kind of result. */
  @IsOptional()
  @IsOpenEnum(BIOMARKER_TYPES)
  type?: BiomarkerType | null;

  /** Unit of `value` and of the reference range. */
  @IsOptional()
  @IsString()
  unit?: string | null;

  /** When the biomarker was measured. */
  @IsOptional()
  @HasFormat('date-time')
  timestamp?: string | null;

  /** Notes from the laboratory. */
  @IsOptional()
  @IsString()
  notes?: string | null;

  /** Lower bound of the reference range, in `unit`. */
  @IsOptional()
  @IsNumber()
  min_range_value?: number | null;

  /** Upper bound of the reference range, in `unit`. */
  @IsOptional()
  @IsNumber()
  max_range_value?: number | null;

  /** Whether the value is above the reference range. */
  @IsOptional()
  @IsBoolean()
  is_above_max_range?: boolean | null;

  /** Whether the value is below the reference range. */
  @IsOptional()
  @IsBoolean()
  is_below_min_range?: boolean | null;

  /** Interpretation of the result by the laboratory. */
  @IsOptional()
  @IsOpenEnum(INTERPRETATIONS)
  interpretation?: Interpretation | null;
}

/** A biomarker that was ordered but not measured. The interface document doesn't specify its fields. */
export class MissingBiomarkerResultDto extends BiomarkerDto {
  /** Presumed reason why the result is missing. */
  @IsOptional()
  @IsOpenEnum(INFERRED_FAILURE_TYPES)
  inferred_failure_type?: InferredFailureType | null;

  /** Notes from the laboratory. */
  @IsOptional()
  @IsString()
  note?: string | null;
}
