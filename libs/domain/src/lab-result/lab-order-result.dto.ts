import { IsInt, IsObject, IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsListOf, IsOpenEnum } from '../validation/decorators.ts';
import {
  type Interpretation,
  INTERPRETATIONS,
  METADATA_STATUSES,
  type MetadataStatus,
} from '../validation/known-values.ts';
import { BiomarkerResultDto, MissingBiomarkerResultDto } from './biomarker-result.dto.ts';
import { OrderTransactionDto } from './order-transaction.dto.ts';

/** Patient, ordering provider and laboratory of the result. */
export class LabResultMetadataDto {
  /** The patient's age in years. */
  @IsOptional()
  @IsInt()
  age?: number | null;

  /** The patient's date of birth, shown as day/month/year. */
  @IsOptional()
  @IsString()
  dob?: string | null;

  /** The laboratory's CLIA number. */
  @IsOptional()
  @IsString()
  clia_number?: string | null;

  /** The patient's name. */
  @IsOptional()
  @IsString()
  patient?: string | null;

  /** Name of the ordering provider. */
  @IsOptional()
  @IsString()
  provider?: string | null;

  /** The laboratory's name. */
  @IsOptional()
  @IsString()
  laboratory?: string | null;

  /** Day of the report, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  date_reported?: string | null;

  /** Day the specimen was taken, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  date_collected?: string | null;

  /** Day the laboratory received it, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  date_received?: string | null;

  /** Number of the specimen. */
  @IsOptional()
  @IsString()
  specimen_number?: string | null;

  /** Whether the result may still change. */
  @IsOptional()
  @IsOpenEnum(METADATA_STATUSES)
  status?: MetadataStatus | null;

  /** Overall interpretation of the result. */
  @IsOptional()
  @IsOpenEnum(INTERPRETATIONS)
  interpretation?: Interpretation | null;
}

/** The result of a lab order (interface document 2.3). */
export class LabOrderResultDto {
  /** Patient, ordering provider and laboratory of the result. */
  @IsEntity(() => LabResultMetadataDto)
  metadata!: LabResultMetadataDto;

  /** The biomarkers measured. */
  @IsListOf(() => BiomarkerResultDto)
  results!: BiomarkerResultDto[];

  /** The biomarkers that were ordered but not measured. */
  @IsOptional()
  @IsListOf(() => MissingBiomarkerResultDto)
  missing_results?: MissingBiomarkerResultDto[] | null;

  /** Information about the specimens, in the format of the laboratory. */
  @IsOptional()
  @IsObject()
  sample_information?: Record<string, unknown> | null;

  /** The order and its redraws. */
  @IsOptional()
  @IsEntity(() => OrderTransactionDto)
  order_transaction?: OrderTransactionDto | null;
}
