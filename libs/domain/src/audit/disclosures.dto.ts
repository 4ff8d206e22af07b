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

/** Path parameters of an accounting of disclosures. */
@Closed()
export class DisclosuresParamsDto {
  /** Id of the user. */
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

  /** Maximum number of disclosures of a page; default 100. */
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

/** A desk, by name as of now. */
export class DisclosureDeskDto {
  /** Id of the desk. */
  @IsString()
  desk_id!: string;

  /** Name of the desk; null if there is none, or no longer. */
  @IsOptional()
  @IsString()
  name?: string | null;
}

/** One answer that showed data of the patient, or what a desk then did with it. */
export class DisclosureDto {
  /** Id of its audit record. */
  @IsString()
  record_id!: string;

  /** When it happened. */
  @HasFormat('date-time')
  occurred_at!: string;

  /** Who was shown it. */
  @IsEntity(() => AuditActorDto)
  actor!: AuditActorDto;

  /** Id of the session of a staff member; null for a key. */
  @IsOptional()
  @IsString()
  session_id?: string | null;

  /** The desk; null if it is not known. */
  @IsOptional()
  @IsEntity(() => DisclosureDeskDto)
  desk?: DisclosureDeskDto | null;

  /** The operation. */
  @IsString()
  operation!: string;

  /** `read`: this patient was asked for; `listed`: one of several in a list; otherwise what a desk did with it. */
  @IsOpenEnum(DISCLOSURE_WAYS)
  how!: DisclosureWay;

  /** Category of the data. */
  @IsOptional()
  @IsString()
  data_category?: string | null;

  /** What a desk printed, copied, saved or exported; null for an answer. */
  @IsOptional()
  @IsOpenEnum(DESK_DOCUMENTS)
  document?: string | null;

  /** Whether the role was shown fewer fields. */
  @IsBoolean()
  masked!: boolean;

  /** Reason of the emergency access, otherwise the purpose of use; null if the role permits it and none was given. */
  @IsOptional()
  @IsString()
  why?: string | null;

  /** The emergency access that permitted it; null without. */
  @IsOptional()
  @IsString()
  break_glass_id?: string | null;

  /** Outcome of the request. */
  @IsOneOf(AUDIT_DECISIONS)
  outcome!: AuditDecision;
}

/** Accounting of disclosures: a page of who was shown data of a patient, newest first. */
export class DisclosureListDto {
  /** Id of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** Start of the range, as asked; null if it is open. */
  @IsOptional()
  @IsString()
  from?: string | null;

  /** End of the range, as asked; null if it is open. */
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
