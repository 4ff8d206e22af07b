import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { BiomarkerResultDto } from '../lab-result/biomarker-result.dto.ts';
import { LabOrderResultDto } from '../lab-result/lab-order-result.dto.ts';
import { Closed, HasFormat, IsEntity, IsListOf } from '../validation/decorators.ts';

/** Path of the history of a lab order's result. */
@Closed()
export class OrderHistoryParamsDto {
  /** ID of the order. */
  @HasFormat('uuid')
  order_id!: string;
}

/** An earlier result of a biomarker, from another report of the same person. */
export class EarlierResultDto {
  /** ID of the order of that report. */
  @HasFormat('uuid')
  order_id!: string;

  /** Date on which the specimen was collected, else received, else reported, YYYY-MM-DD. */
  @HasFormat('date')
  date!: string;

  /** The biomarker as that report has it. */
  @IsEntity(() => BiomarkerResultDto)
  measured!: BiomarkerResultDto;

  /** The biomarker before a correction of that report changed it. Absent if there was none, or if it is unknown. */
  @IsOptional()
  @IsEntity(() => BiomarkerResultDto)
  replaced?: BiomarkerResultDto | null;
}

/** Earlier results of one biomarker of a report. */
export class BiomarkerHistoryDto {
  /** Index of the biomarker in the report's `results`, starting at 0. */
  @IsInt()
  @Min(0)
  place!: number;

  /** Name of the biomarker in the report. */
  @IsString()
  name!: string;

  /** Slug of the biomarker in the report. */
  @IsString()
  slug!: string;

  /** LOINC code in the report. */
  @IsOptional()
  @IsString()
  loinc?: string | null;

  /** Unit in the report. Earlier results have the same unit. */
  @IsOptional()
  @IsString()
  unit?: string | null;

  /** Up to ten earlier results, newest first. */
  @IsListOf(() => EarlierResultDto)
  earlier!: EarlierResultDto[];
}

/** The previous version of a result that was corrected. */
export class ReplacedResultDto {
  /** When the store received the correction. */
  @HasFormat('date-time')
  replaced_at!: string;

  /** The result before the correction. */
  @IsEntity(() => LabOrderResultDto)
  result!: LabOrderResultDto;
}

/** Earlier results of a lab order's biomarkers, and the version that a correction replaced. */
export class OrderHistoryDto {
  static readonly example: OrderHistoryDto = {
    order_id: '9e107d9d-372b-4b68-a1f5-b5a5c1d0e8f2',
    biomarkers: [
      {
        place: 0,
        name: 'Glucose',
        slug: 'glucose',
        loinc: '2345-7',
        unit: 'mg/dL',
        earlier: [
          {
            order_id: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
            date: '2025-09-10',
            measured: BiomarkerResultDto.example,
          },
        ],
      },
    ],
    replaced: null,
    left_out: 0,
  };

  /** ID of the order. */
  @HasFormat('uuid')
  order_id!: string;

  /** The biomarkers that have earlier results, in the order of the report's `results`. */
  @IsListOf(() => BiomarkerHistoryDto)
  biomarkers!: BiomarkerHistoryDto[];

  /** The version that the current result replaced; null if there is none or it is unknown. */
  @IsOptional()
  @IsEntity(() => ReplacedResultDto)
  replaced?: ReplacedResultDto | null;

  /** Number of earlier reports that were left out because their name or birth date differs. */
  @IsInt()
  @Min(0)
  left_out!: number;
}
