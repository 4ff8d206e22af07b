import { IsArray, IsInt, IsObject, IsOptional, IsString, Min } from 'class-validator';
import { Closed, HasFormat, IsListOf, IsOneOf, MayBeMissing } from '../validation/decorators.ts';
import { AUDIT_DECISIONS, type AuditDecision } from '../validation/known-values.ts';

/** Which events of the audit log are listed; all that is given must hold. */
@Closed()
export class AuditEventsQueryDto {
  /** Only events of the log with this id. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;

  /** Only the record with this id (`x-audit-record-id`). */
  @MayBeMissing()
  @HasFormat('record-id')
  record?: string;

  /** Only events in which something of this user was shown. */
  @MayBeMissing()
  @HasFormat('uuid')
  patient?: string;

  /** Only events of the key with this id. */
  @MayBeMissing()
  @HasFormat('key-id')
  actor?: string;

  /** Only this operation. */
  @MayBeMissing()
  @HasFormat('operation-name')
  operation?: string;

  /** Only this outcome. */
  @MayBeMissing()
  @IsOneOf(AUDIT_DECISIONS)
  decision?: AuditDecision;

  /** Not before this date (then 00:00:00 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  from?: string;

  /** Not after this date (then 23:59:59 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  to?: string;

  /** Where the page before this one ended. */
  @MayBeMissing()
  @IsString()
  cursor?: string;
}

/** Which page of the alarms is listed. */
@Closed()
export class AuditAlarmsQueryDto {
  /** Where the page before this one ended. */
  @MayBeMissing()
  @IsString()
  cursor?: string;
}

/** Which audit log is meant. */
@Closed()
export class AuditLogQueryDto {
  /** The log that is meant; without it the one that the instance that answers writes. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;
}

/** What is to be proved of an audit log: of `record` or `seq` that it is in it, or that it only grew since `from`. */
@Closed()
export class AuditProofQueryDto {
  /** The log that is meant; without it the one that the instance that answers writes. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;

  /** A record of the own team, by its id (`x-audit-record-id`). */
  @MayBeMissing()
  @HasFormat('record-id')
  record?: string;

  /** The record, counted from 0. */
  @MayBeMissing()
  @IsInt()
  @Min(0)
  seq?: number;

  /** Size of the tree that it is to be in. */
  @MayBeMissing()
  @IsInt()
  @Min(0)
  size?: number;

  /** Size of the earlier tree. */
  @MayBeMissing()
  @IsInt()
  @Min(0)
  from?: number;

  /** Size of the later tree. */
  @MayBeMissing()
  @IsInt()
  @Min(0)
  to?: number;
}

/** One record of the audit log. */
export class AuditEventDto {
  /** Names the record (`x-audit-record-id`). */
  @IsString()
  record_id!: string;

  /** Salt of the record's leaf in the tree, Base64. */
  @IsString()
  salt!: string;

  /** The record's columns by their names. */
  @IsObject()
  body!: Record<string, unknown>;
}

/** A page of the audit log. */
export class AuditEventsPageDto {
  /** The log that the events are of; null where they are of several. */
  @IsOptional()
  @IsString()
  log_id?: string | null;

  /** The events, newest first. */
  @IsListOf(() => AuditEventDto)
  events!: AuditEventDto[];

  /** Cursor of the next page; null on the last. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}

/** Proof that a record is in an audit log (RFC 6962). */
export class AuditInclusionProofDto {
  /** The log. */
  @IsString()
  log_id!: string;

  /** The record, counted from 0. */
  @IsInt()
  @Min(0)
  seq!: number;

  /** Size of the tree that it is in. */
  @IsInt()
  @Min(0)
  size!: number;

  /** Hash of the record's leaf, Base64. */
  @IsString()
  leaf_hash!: string;

  /** Hashes from the leaf up to the root, Base64. */
  @IsArray()
  @IsString({ each: true })
  proof!: string[];

  /** The signed checkpoint of that tree. */
  @IsString()
  checkpoint!: string;
}

/** Proof that an audit log only grew (RFC 6962). */
export class AuditConsistencyProofDto {
  /** The log. */
  @IsString()
  log_id!: string;

  /** Size of the earlier tree. */
  @IsInt()
  @Min(0)
  from!: number;

  /** Size of the later tree. */
  @IsInt()
  @Min(0)
  to!: number;

  /** Hashes that lead from the one root to the other, Base64. */
  @IsArray()
  @IsString({ each: true })
  proof!: string[];

  /** The signed checkpoint of the later tree. */
  @IsString()
  checkpoint!: string;
}
