import { IsBoolean, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { HasFormat, IsEntity } from '../validation/decorators.ts';

/** A checkpoint of the audit log. */
export class AuditCheckpointStateDto {
  /** Number of records in the log at this checkpoint. */
  @IsInt()
  @Min(0)
  size!: number;

  /** Root hash of the Merkle tree, Base64. */
  @IsString()
  root!: string;

  /** The signed checkpoint as text (C2SP tlog-checkpoint). */
  @IsString()
  note!: string;

  /** Time at which this was still the log's newest checkpoint. */
  @IsOptional()
  @HasFormat('date-time')
  at?: string | null;
}

/** A verification that the audit log only grew between two checkpoints. */
export class AuditVerificationDto {
  /** When the verification was made. */
  @HasFormat('date-time')
  at!: string;

  /** Number of records at the earlier checkpoint. */
  @IsInt()
  @Min(0)
  from!: number;

  /** Number of records at the current checkpoint. */
  @IsInt()
  @Min(0)
  to!: number;

  /** Whether the log of `to` records extends the log of `from` records. */
  @IsBoolean()
  consistent!: boolean;
}

/** The latest verification of the complete log. */
export class AuditWholeVerificationDto {
  /** When the verification ended. */
  @HasFormat('date-time')
  at!: string;

  /** Whether all records, hashes and signatures verified. */
  @IsBoolean()
  intact!: boolean;
}

/** State of the audit log of the responding instance. */
export class AuditLogStateDto {
  /** ID of the log. */
  @IsString()
  log_id!: string;

  /** Public key of the log (C2SP verifier key). */
  @IsString()
  verifier_key!: string;

  /** Whether the log accepts records. */
  @IsBoolean()
  accepts_records!: boolean;

  /** When this instance opened the log and verified its newest records. */
  @HasFormat('date-time')
  opened_at!: string;

  /** The current checkpoint. */
  @IsEntity(() => AuditCheckpointStateDto)
  checkpoint!: AuditCheckpointStateDto;

  /** The verification made for this response, from the checkpoint at the start of the service to the current one. */
  @IsEntity(() => AuditVerificationDto)
  verified!: AuditVerificationDto;

  /** The latest daily verification of the complete log; null before the first one after a start. */
  @IsOptional()
  @IsEntity(() => AuditWholeVerificationDto)
  verified_whole?: AuditWholeVerificationDto | null;

  /** Whether writing checkpoints to another disk fails; null if this is not configured. */
  @IsOptional()
  @IsBoolean()
  checkpoint_copy_failing?: boolean | null;
}
