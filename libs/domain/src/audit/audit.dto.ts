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
  /** As `patient`, by the user's id in the team's own system; not beside it. Unknown: 404. */
  @MayBeMissing()
  @IsString()
  client_user_id?: string;

  /** Only events of this staff member or API key: what they did, and with `decision=allowed` what they saw. */
  @MayBeMissing()
  @HasFormat('actor-id')
  actor_id?: string;

  /** Only this operation. */
  @MayBeMissing()
  @HasFormat('operation-name')
  operation?: string;

  /** Only this outcome. */
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

/** Filter of the events of the audit log; all conditions must match. */
@Closed()
export class AuditEventsQueryDto extends EventFilterDto {
  /** Only events of this log (log id). */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;

  /** Only the record with this id (`x-audit-record-id`). */
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

/** Events to export, as a file in parts. */
@Closed()
export class AuditExportQueryDto extends EventFilterDto {
  /** Form of the export. */
  @IsOneOf(AUDIT_EXPORT_FORMATS)
  format!: AuditExportFormat;

  /** Only events in which data of this user was returned; other patients of the same events are left out. */
  @MayBeMissing()
  @HasFormat('uuid')
  patient?: string;

  /** Maximum number of events of a part; default 1000. */
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

/** Page of the alarms to list. */
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
  /** Log id; by default the log of the responding instance. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;
}

/** The requested proof: that `record` or `seq` is in the audit log, or that the log is append-only since `from`. */
@Closed()
export class AuditProofQueryDto {
  /** Log id; by default the log of the responding instance. */
  @MayBeMissing()
  @HasFormat('log-id')
  log?: string;

  /** Id of a record of the team (`x-audit-record-id`). */
  @MayBeMissing()
  @HasFormat('record-id')
  record?: string;

  /** Position of the record, starting at 0. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  seq?: number;

  /** Size of the tree that contains the record. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  size?: number;

  /** Size of the earlier tree. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  from?: number;

  /** Size of the later tree. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(0)
  to?: number;
}

/** A record of the audit log. */
export class AuditEventDto {
  /** Id of the record (`x-audit-record-id`). */
  @IsString()
  record_id!: string;

  /** Id of its log. */
  @IsOptional()
  @IsString()
  log_id?: string | null;

  /** Salt of the record's leaf in the tree, Base64. */
  @IsString()
  salt!: string;

  /** User ids of the patients whose data was returned, also where `body` has them packed. */
  @IsArray()
  @IsString({ each: true })
  patients!: string[];

  /** When it happened. */
  @HasFormat('date-time')
  occurred_at!: string;

  /** Who acted. */
  @IsEntity(() => AuditActorDto)
  actor!: AuditActorDto;

  /** Id of the session of a staff member; null for a key. */
  @IsOptional()
  @IsString()
  session_id?: string | null;

  /** The desk; null if it is not known. */
  @IsOptional()
  @IsEntity(() => AuditDeviceDto)
  device?: AuditDeviceDto | null;

  /** The fields of the record, as they were hashed; several patients are packed: base64url of 16 bytes for each. */
  @IsObject()
  body!: Record<string, unknown>;
}

/** A page of the audit log. */
export class AuditEventsPageDto {
  /** Id of the log of the events; null if they are of several logs. */
  @IsOptional()
  @IsString()
  log_id?: string | null;

  /** The user of `client_user_id`; missing or null where events were not asked for by it. */
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
  /** Id of the log. */
  @IsString()
  log_id!: string;

  /** Position of the record, starting at 0. */
  @IsInt()
  @Min(0)
  seq!: number;

  /** Size of the tree that contains the record. */
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

/** Proof that an audit log is append-only (RFC 6962). */
export class AuditConsistencyProofDto {
  /** Id of the log. */
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

  /** Hashes that connect the two roots, Base64. */
  @IsArray()
  @IsString({ each: true })
  proof!: string[];

  /** The signed checkpoint of the later tree. */
  @IsString()
  checkpoint!: string;
}
