import { IsBoolean, IsInt, IsNumber, IsOptional, IsString, Min } from 'class-validator';
import { HasFormat, IsEntity, IsListOf } from '../validation/decorators.ts';

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

  /** When it was signed, or was still that of the log; the time of the first cosignature for the one of the witnesses. */
  @IsOptional()
  @HasFormat('date-time')
  at?: string | null;
}

/** A witness of the policy. */
export class AuditWitnessStateDto {
  /** Its name in the policy. */
  @IsString()
  name!: string;

  /** When it cosigned the newest checkpoint of the witnesses; null if it did not. */
  @IsOptional()
  @HasFormat('date-time')
  cosigned_at?: string | null;

  /** Whether it said that this log is not the one that it cosigned before. */
  @IsBoolean()
  conflict!: boolean;
}

/** How the log is witnessed. */
export class AuditWitnessingStateDto {
  /** Whether the newest checkpoint of the witnesses has the cosignatures that the policy asks for. */
  @IsBoolean()
  quorum_met!: boolean;

  /** Number of cosignatures on it. */
  @IsInt()
  @Min(0)
  cosignatures!: number;

  /** Seconds since a checkpoint met the policy; since the start of the service if none did. */
  @IsNumber()
  seconds_since_quorum!: number;

  /** Records that came after the newest checkpoint of the witnesses. */
  @IsInt()
  @Min(0)
  lag!: number;

  /** The newest checkpoint that has cosignatures; null if there is none. */
  @IsOptional()
  @IsEntity(() => AuditCheckpointStateDto)
  checkpoint?: AuditCheckpointStateDto | null;

  /** The witnesses of the policy. */
  @IsListOf(() => AuditWitnessStateDto)
  witnesses!: AuditWitnessStateDto[];
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

  /** What was verified for this answer: from the newest checkpoint of the witnesses, or that of the start. */
  @IsEntity(() => AuditVerificationDto)
  verified!: AuditVerificationDto;

  /** The last verification of the whole log, which is made once a day; null before the first one after a start. */
  @IsOptional()
  @IsEntity(() => AuditWholeVerificationDto)
  verified_whole?: AuditWholeVerificationDto | null;

  /** How it is witnessed; null without a policy. */
  @IsOptional()
  @IsEntity(() => AuditWitnessingStateDto)
  witnessing?: AuditWitnessingStateDto | null;

  /** Whether the copy of checkpoints on another disk fails; null without one. */
  @IsOptional()
  @IsBoolean()
  checkpoint_copy_failing?: boolean | null;
}
