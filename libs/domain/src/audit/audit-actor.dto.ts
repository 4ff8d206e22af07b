import { IsOptional, IsString } from 'class-validator';
import { IsOpenEnum } from '../validation/decorators.ts';
import { AUDIT_ACTOR_TYPES, type AuditActorType } from '../validation/known-values.ts';

/** Who acted, by name as of now: names are not in the log. */
export class AuditActorDto {
  /** Kind of the actor. */
  @IsOpenEnum(AUDIT_ACTOR_TYPES)
  type!: AuditActorType;

  /** Id of the staff member or of the key, or the user of the command line; null if there is none. */
  @IsOptional()
  @IsString()
  id?: string | null;

  /** Name of the staff member, or label of the key; null if there is none, or no longer. */
  @IsOptional()
  @IsString()
  name?: string | null;

  /** The role in which they acted; null without one. */
  @IsOptional()
  @IsString()
  role?: string | null;
}

/** A desk, by name as of now. */
export class AuditDeviceDto {
  /** Id of the desk. */
  @IsString()
  id!: string;

  /** Name of the desk; null if there is none, or no longer. */
  @IsOptional()
  @IsString()
  name?: string | null;
}
