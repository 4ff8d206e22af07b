import { IsBoolean, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { HasFormat, IsEntity } from '../validation/decorators.ts';

/** A checkpoint of the log. */
export class AuditCheckpointStateDto {
  /** Records of the log at this checkpoint. */
  @IsInt()
  @Min(0)
  size!: number;

  /** Root hash of the tree, Base64. */
  @IsString()
  root!: string;

  /** The signed checkpoint itself (C2SP tlog-checkpoint). */
  @IsString()
  note!: string;

  /** When it was still that of the log. */
  @IsOptional()
  @HasFormat('date-time')
  at?: string | null;
}

/** What was verified for this answer. */
export class AuditVerificationDto {
  /** When. */
  @HasFormat('date-time')
  at!: string;

  /** Records of the earlier checkpoint. */
  @IsInt()
  @Min(0)
  from!: number;

  /** Records of the current checkpoint. */
  @IsInt()
  @Min(0)
  to!: number;

  /** Whether the log of `to` records extends the log of `from` records. */
  @IsBoolean()
  consistent!: boolean;
}

/** The last verification of the whole log. */
export class AuditWholeVerificationDto {
  /** When it ended. */
  @HasFormat('date-time')
  at!: string;

  /** Whether each record, seal and hash was as it was signed. */
  @IsBoolean()
  intact!: boolean;
}

/** State of the audit log of the responding instance. */
export class AuditLogStateDto {
  /** Id of the log. */
  @IsString()
  log_id!: string;

  /** Public key of the log (C2SP verifier key). */
  @IsString()
  verifier_key!: string;

  /** Whether the log accepts records. */
  @IsBoolean()
  accepts_records!: boolean;

  /** When this instance opened the log and checked its end. */
  @HasFormat('date-time')
  opened_at!: string;

  /** The current checkpoint. */
  @IsEntity(() => AuditCheckpointStateDto)
  checkpoint!: AuditCheckpointStateDto;

  /** What was verified for this answer, from the checkpoint of the start on. */
  @IsEntity(() => AuditVerificationDto)
  verified!: AuditVerificationDto;

  /** The last verification of the whole log, which is made once a day; null before the first one after a start. */
  @IsOptional()
  @IsEntity(() => AuditWholeVerificationDto)
  verified_whole?: AuditWholeVerificationDto | null;

  /** Whether the copy of checkpoints on another disk fails; null without one. */
  @IsOptional()
  @IsBoolean()
  checkpoint_copy_failing?: boolean | null;
}
