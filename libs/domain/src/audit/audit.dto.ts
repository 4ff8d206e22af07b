import { IsArray, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  Closed,
  HasFormat,
  IsEntity,
  IsListOf,
  IsOneOf,
  MayBeMissing,
  ToInteger,
} from '../validation/decorators.ts';
import {
  AUDIT_DECISIONS,
  AUDIT_EXPORT_FORMATS,
  type AuditDecision,
  type AuditExportFormat,
} from '../validation/known-values.ts';
import { AuditActorDto, AuditDeviceDto } from './audit-actor.dto.ts';

abstract class EventFilterDto {
  /**
   * Only events in which data of the user with this ID in the team's own system was returned. Can't be combined with
   * `patient`. An unknown ID gives 404.
   */
  @MayBeMissing()
  @IsString()
  client_user_id?: string;

  /**
   * Only events of this staff member or API key. With `decision=allowed`, these are the events in which data was
   * returned to them.
   */
  @MayBeMissing()
  @HasFormat('actor-id')
  actor_id?: string;

  /** Only events of this operation. */
  @MayBeMissing()
  @HasFormat('operation-name')
  operation?: string;

  /** Only events with this outcome. */
  @MayBeMissing()
  @IsOneOf(AUDIT_DECISIONS)
  decision?: AuditDecision;

  /** Only events from this date (00:00:00 UTC) or date-time on. */
  @MayBeMissing()
  @HasFormat('query-date')
  from?: string;

  /** Only events up to this date (23:59:59 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  to?: string;
}

/** Filters of the audit events. An event must match all of them. */
@Closed()
export class AuditEventsQueryDto extends EventFilterDto {
  /** Only events of the audit log with this ID. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;

  /** Only the record with this ID (`x-audit-record-id`). */
  @MayBeMissing()
  @HasFormat('record-id')
  record?: string;

  /** Only events in which data of this user was returned. */
  @MayBeMissing()
  @HasFormat('uuid')
  patient?: string;

  /** `next_cursor` of the previous page. */
  @MayBeMissing()
  @IsString()
  cursor?: string;
}

/** Filters of the events to export, and the part of the file to return. */
@Closed()
export class AuditExportQueryDto extends EventFilterDto {
  /** Format of the export. */
  @IsOneOf(AUDIT_EXPORT_FORMATS)
  format!: AuditExportFormat;

  /** Only events in which data of this user was returned. Other patients of the same events are left out. */
  @MayBeMissing()
  @HasFormat('uuid')
  patient?: string;

  /** Maximum number of events in a part; default 1000. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(5000)
  limit?: number;

  /** `x-next-cursor` of the previous part. */
  @MayBeMissing()
  @IsString()
  cursor?: string;
}

/** Page of the audit alarms. */
@Closed()
export class AuditAlarmsQueryDto {
  /** `next_cursor` of the previous page. */
  @MayBeMissing()
  @IsString()
  cursor?: string;
}

/** The audit log to read. */
@Closed()
export class AuditLogQueryDto {
  /** ID of the audit log; by default the log of the responding instance. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;
}

/**
 * The requested proof: either that the record `record` or `seq` is in the audit log, or that the log has only grown
 * since `from`.
 */
@Closed()
export class AuditProofQueryDto {
  /** ID of the audit log; by default the log of the responding instance. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;

  /** ID of a record of the team (`x-audit-record-id`). */
  @MayBeMissing()
  @HasFormat('record-id')
  record?: string;

  /** Position of the record in the log, starting at 0. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  seq?: number;

  /** Number of records in the tree for which inclusion is proven. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  size?: number;

  /** Number of records in the earlier tree. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  from?: number;

  /** Number of records in the later tree. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  to?: number;
}

/** A record of the audit log. */
export class AuditEventDto {
  /** ID of the record (`x-audit-record-id`). */
  @IsString()
  record_id!: string;

  /** ID of the audit log that contains the record. */
  @IsOptional()
  @IsString()
  log_id?: string | null;

  /** Salt of the record's leaf in the tree, Base64. */
  @IsString()
  salt!: string;

  /** User IDs of the patients whose data was returned. `body` may have the same IDs in packed form. */
  @IsArray()
  @IsString({ each: true })
  patients!: string[];

  /** When the event happened. */
  @HasFormat('date-time')
  occurred_at!: string;

  /** The staff member, API key or system that acted. */
  @IsEntity(() => AuditActorDto)
  actor!: AuditActorDto;

  /** ID of the staff member's session; null for an API key. */
  @IsOptional()
  @IsString()
  session_id?: string | null;

  /** The desk where the event happened; null if unknown. */
  @IsOptional()
  @IsEntity(() => AuditDeviceDto)
  device?: AuditDeviceDto | null;

  /** The fields of the record as they were hashed. Several patients are packed as base64url of 16 bytes each. */
  @IsObject()
  body!: Record<string, unknown>;
}

/** A page of audit events. */
export class AuditEventsPageDto {
  /** ID of the audit log that contains the events; null if they come from several logs. */
  @IsOptional()
  @IsString()
  log_id?: string | null;

  /** User ID that `client_user_id` was resolved to; missing or null if the request had no `client_user_id`. */
  @IsOptional()
  @IsString()
  user_id?: string | null;

  /** The events, newest first. */
  @IsListOf(() => AuditEventDto)
  events!: AuditEventDto[];

  /** Cursor of the next page; null on the last page. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}

/** Proof that a record is in an audit log (RFC 6962). */
export class AuditInclusionProofDto {
  /** ID of the log. */
  @IsString()
  log_id!: string;

  /** Position of the record in the log, starting at 0. */
  @IsInt()
  @Min(0)
  seq!: number;

  /** Number of records in the tree that contains the record. */
  @IsInt()
  @Min(0)
  size!: number;

  /** Hash of the record's leaf, Base64. */
  @IsString()
  leaf_hash!: string;

  /** Audit path from the leaf to the root, Base64 hashes. */
  @IsArray()
  @IsString({ each: true })
  proof!: string[];

  /** The signed checkpoint of the tree. */
  @IsString()
  checkpoint!: string;
}

/** Proof that an audit log has only grown between two sizes (RFC 6962). */
export class AuditConsistencyProofDto {
  /** ID of the log. */
  @IsString()
  log_id!: string;

  /** Number of records in the earlier tree. */
  @IsInt()
  @Min(0)
  from!: number;

  /** Number of records in the later tree. */
  @IsInt()
  @Min(0)
  to!: number;

  /** Hashes that prove that the later tree extends the earlier one, Base64. */
  @IsArray()
  @IsString({ each: true })
  proof!: string[];

  /** The signed checkpoint of the later tree. */
  @IsString()
  checkpoint!: string;
}
