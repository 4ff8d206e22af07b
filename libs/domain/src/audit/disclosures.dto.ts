import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  Closed,
  HasFormat,
  IsEntity,
  IsListOf,
  IsOneOf,
  IsOpenEnum,
  MayBeMissing,
  ToInteger,
} from '../validation/decorators.ts';
import {
  AUDIT_DECISIONS,
  type AuditDecision,
  DESK_DOCUMENTS,
  DISCLOSURE_WAYS,
  type DisclosureWay,
} from '../validation/known-values.ts';
import { AuditActorDto } from './audit-actor.dto.ts';

/** Path of the accounting of disclosures of a user. */
@Closed()
export class DisclosuresParamsDto {
  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;
}

/** Range and page of an accounting of disclosures. */
@Closed()
export class DisclosuresQueryDto {
  /** Only disclosures from this date (00:00:00 UTC) or date-time on. */
  @MayBeMissing()
  @HasFormat('query-date')
  start_date?: string;

  /** Only disclosures up to this date (23:59:59 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  end_date?: string;

  /** Maximum number of disclosures on a page; default 100. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number;

  /** `next_cursor` of the previous page. */
  @MayBeMissing()
  @IsString()
  cursor?: string;
}

/** A desk with its current name. */
export class DisclosureDeskDto {
  /** ID of the desk. */
  @IsString()
  desk_id!: string;

  /** Current name of the desk; null if there is none or it was deleted. */
  @IsOptional()
  @IsString()
  name?: string | null;
}

/** A response that contained data of the patient, or what a desk then did with the data. */
export class DisclosureDto {
  /** ID of the audit record. */
  @IsString()
  record_id!: string;

  /** When the disclosure happened. */
  @HasFormat('date-time')
  occurred_at!: string;

  /** The staff member or API key to whom the data was disclosed. */
  @IsEntity(() => AuditActorDto)
  actor!: AuditActorDto;

  /** ID of the staff member's session; null for an API key. */
  @IsOptional()
  @IsString()
  session_id?: string | null;

  /** The desk where the data was shown; null if unknown. */
  @IsOptional()
  @IsEntity(() => DisclosureDeskDto)
  desk?: DisclosureDeskDto | null;

  /** Name of the operation that returned the data. */
  @IsString()
  operation!: string;

  /**
   * `read`: data of this patient was requested. `listed`: the patient was one of several in a list. Otherwise what a
   * desk did with the data: `print`, `copy`, `save` or `export`.
   */
  @IsOpenEnum(DISCLOSURE_WAYS)
  how!: DisclosureWay;

  /** Category of the data, such as `lab_result`. */
  @IsOptional()
  @IsString()
  data_category?: string | null;

  /** The document that a desk printed, copied, saved or exported; null for a response. */
  @IsOptional()
  @IsOpenEnum(DESK_DOCUMENTS)
  document?: string | null;

  /** Whether fields were masked because of the role. */
  @IsBoolean()
  masked!: boolean;

  /** Reason for the emergency access, otherwise the purpose of use; null if none was given. */
  @IsOptional()
  @IsString()
  why?: string | null;

  /** ID of the emergency access that permitted the request; null if the role permitted it. */
  @IsOptional()
  @IsString()
  break_glass_id?: string | null;

  /** Outcome of the request. */
  @IsOneOf(AUDIT_DECISIONS)
  outcome!: AuditDecision;
}

/** Accounting of disclosures: a page of the disclosures of a patient's data, newest first. */
export class DisclosureListDto {
  /** ID of the user (patient). */
  @HasFormat('uuid')
  user_id!: string;

  /** Start of the range as requested; null if unbounded. */
  @IsOptional()
  @IsString()
  from?: string | null;

  /** End of the range as requested; null if unbounded. */
  @IsOptional()
  @IsString()
  to?: string | null;

  /** The disclosures, newest first. */
  @IsListOf(() => DisclosureDto)
  disclosures!: DisclosureDto[];

  /** Cursor of the next page; null on the last page. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}
