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
  /** Age of the patient in years. */
  @IsOptional()
  @IsInt()
  age?: number | null;

  /** Date of birth of the patient, as day/month/year. */
  @IsOptional()
  @IsString()
  dob?: string | null;

  /** CLIA number of the laboratory. */
  @IsOptional()
  @IsString()
  clia_number?: string | null;

  /** Name of the patient. */
  @IsOptional()
  @IsString()
  patient?: string | null;

  /** Name of the ordering provider. */
  @IsOptional()
  @IsString()
  provider?: string | null;

  /** Name of the laboratory. */
  @IsOptional()
  @IsString()
  laboratory?: string | null;

  /** Date of the report, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  date_reported?: string | null;

  /** Date on which the specimen was collected, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  date_collected?: string | null;

  /** Date on which the laboratory received the specimen, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  date_received?: string | null;

  /** Number of the specimen at the laboratory. */
  @IsOptional()
  @IsString()
  specimen_number?: string | null;

  /** Whether the result is final or may still change. */
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
  static readonly example: LabOrderResultDto = {
    metadata: {
      age: 37,
      dob: '04/06/1988',
      clia_number: '05D1234567',
      patient: 'Amara Okonkwo',
      provider: 'Dr. Lena Fischer',
      laboratory: 'Example Laboratory',
      date_reported: '2026-03-03',
      date_collected: '2026-03-01',
      date_received: '2026-03-02',
      specimen_number: '0613-00217',
      status: 'final',
      interpretation: 'normal',
    },
    results: [BiomarkerResultDto.example],
    missing_results: null,
    order_transaction: {
      id: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
      status: 'completed',
      orders: [
        {
          id: '9e107d9d-372b-4b68-a1f5-b5a5c1d0e8f2',
          created_at: '2026-03-01T08:00:00+00:00',
          updated_at: '2026-03-03T16:20:00+00:00',
          low_level_status: 'completed',
          low_level_status_created_at: '2026-03-03T16:20:00+00:00',
          origin: 'initial',
        },
      ],
    },
  };

  /** Patient, ordering provider and laboratory of the result. */
  @IsEntity(() => LabResultMetadataDto)
  metadata!: LabResultMetadataDto;

  /** The measured biomarkers. */
  @IsListOf(() => BiomarkerResultDto)
  results!: BiomarkerResultDto[];

  /** The biomarkers that were ordered but not measured. */
  @IsOptional()
  @IsListOf(() => MissingBiomarkerResultDto)
  missing_results?: MissingBiomarkerResultDto[] | null;

  /** Information about the specimens, in the laboratory's own format. */
  @IsOptional()
  @IsObject()
  sample_information?: Record<string, unknown> | null;

  /** The order with its redraws and recreations. */
  @IsOptional()
  @IsEntity(() => OrderTransactionDto)
  order_transaction?: OrderTransactionDto | null;
}
