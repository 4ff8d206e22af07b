import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, IsString, Max, Min } from 'class-validator';
import { Closed, HasFormat, IsOneOf, MayBeMissing } from '../validation/decorators.ts';
import {
  DESK_DOCUMENTS,
  DESK_EVENT_KINDS,
  type DeskDocument,
  type DeskEventKind,
} from '../validation/known-values.ts';

/**
 * Something that a desk is about to do with data that it was shown. The desk must wait for the response before it
 * does it.
 */
@Closed()
export class DeskEventDto {
  /** The action, such as `print`. */
  @IsOneOf(DESK_EVENT_KINDS)
  kind!: DeskEventKind;

  /** The document that is printed, copied, saved or exported. */
  @IsOneOf(DESK_DOCUMENTS)
  document!: DeskDocument;

  /** Number of pages of the document. */
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

  /**
   * The desk's number of this printout, 32 hexadecimal digits, which is printed on the paper. Each printout has a
   * different number.
   */
  @MayBeMissing()
  @HasFormat('record-id')
  number?: string;

  /** Audit record IDs (`x-audit-record-id`) of the responses whose data is in the document, 1 to 200. */
  @IsArray()
  @IsString({ each: true })
  @ArrayMinSize(1)
  @ArrayMaxSize(200)
  record_ids!: string[];
}

/** The audit record of a desk event. */
export class DeskEventRecordedDto {
  /** ID of the audit record, as in `x-audit-record-id`. */
  @IsString()
  record_id!: string;
}
