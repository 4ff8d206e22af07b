import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, Max, Min } from 'class-validator';
import { Closed, HasFormat, IsOneOf, MayBeMissing } from '../validation/decorators.ts';
import {
  DESK_DOCUMENTS,
  DESK_EVENT_KINDS,
  type DeskDocument,
  type DeskEventKind,
} from '../validation/known-values.ts';

/** What a desk is about to do with data that it was shown. To be sent, and answered, before it is done. */
@Closed()
export class DeskEventDto {
  /** What is done. */
  @IsOneOf(DESK_EVENT_KINDS)
  kind!: DeskEventKind;

  /** What it is done with. */
  @IsOneOf(DESK_DOCUMENTS)
  document!: DeskDocument;

  /** Number of its pages. */
  @MayBeMissing()
  @IsInt()
  @Min(1)
  @Max(10_000)
  pages?: number;

  /** Number of copies; default 1. */
  @MayBeMissing()
  @IsInt()
  @Min(1)
  @Max(1000)
  copies?: number;

  /** The desk's own number of this print, 32 hexadecimal digits, which is on its paper; another one for each print. */
  @MayBeMissing()
  @HasFormat('record-id')
  number?: string;

  /** Ids of the records (`x-audit-record-id`) of the answers that are in the document, 1 to 200. */
  @IsArray()
  @IsString({ each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  record_ids!: string[];
}

/** The record of a desk event. */
export class DeskEventRecordedDto {
  /** Id of the record, as in `x-audit-record-id`. */
  @IsString()
  record_id!: string;
}
