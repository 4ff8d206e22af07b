import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { BiomarkerResultDto } from '../lab-result/biomarker-result.dto.ts';
import { LabOrderResultDto } from '../lab-result/lab-order-result.dto.ts';
import { Closed, HasFormat, IsEntity, IsListOf } from '../validation/decorators.ts';

/** Path of the history of a lab order's result. */
@Closed()
export class OrderHistoryParamsDto {
  /** The order's id. */
  @HasFormat('uuid')
  order_id!: string;
}

/** A biomarker as an earlier report of the same person has it. */
export class EarlierResultDto {
  /** The order of that report. */
  @HasFormat('uuid')
  order_id!: string;

  /** Day the specimen was taken; else received, else reported. */
  @HasFormat('date')
  date!: string;

  /** The biomarker in that report. */
  @IsEntity(() => BiomarkerResultDto)
  measured!: BiomarkerResultDto;
}

/** Earlier values of one biomarker of a report. */
export class BiomarkerHistoryDto {
  /** Its place in the report's results, from 0. */
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

  /** Unit in the report; earlier values have the same. */
  @IsOptional()
  @IsString()
  unit?: string | null;

  /** Up to ten, newest first. */
  @IsListOf(() => EarlierResultDto)
  earlier!: EarlierResultDto[];
}

/** The version of a result that a correction replaced. */
export class ReplacedResultDto {
  /** When it was replaced in the store. */
  @HasFormat('date-time')
  replaced_at!: string;

  /** The result as it was. */
  @IsEntity(() => LabOrderResultDto)
  result!: LabOrderResultDto;
}

/** What came before the result of a lab order. */
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

  /** The order. */
  @HasFormat('uuid')
  order_id!: string;

  /** Each biomarker of its result that has earlier values, in the order of the result. */
  @IsListOf(() => BiomarkerHistoryDto)
  biomarkers!: BiomarkerHistoryDto[];

  /** The version that the result replaced; null if there was none, or it is not known. */
  @IsOptional()
  @IsEntity(() => ReplacedResultDto)
  replaced?: ReplacedResultDto | null;

  /** Number of earlier reports left out because they have another name or birth date. */
  @IsInt()
  @Min(0)
  left_out!: number;
}
