import { IsOptional, IsString } from 'class-validator';
import { IsOpenEnum } from '../validation/decorators.ts';
import { AUDIT_ACTOR_TYPES, type AuditActorType } from '../validation/known-values.ts';

/** The actor of an audit event. The audit log stores no names, so the name is the current one. */
export class AuditActorDto {
  /** Kind of the actor. */
  @IsOpenEnum(AUDIT_ACTOR_TYPES)
  type!: AuditActorType;

  /**
   * ID of the staff member or of the API key, or the operating system user who ran a command; null if there is none.
   */
  @IsOptional()
  @IsString()
  id?: string | null;

  /** Current name of the staff member, or label of the API key; null if there is none or it was deleted. */
  @IsOptional()
  @IsString()
  name?: string | null;

  /** Role in which the actor acted; null if the actor has no role. */
  @IsOptional()
  @IsString()
  role?: string | null;
}

/** A desk with its current name. */
export class AuditDeviceDto {
  /** ID of the desk. */
  @IsString()
  id!: string;

  /** Current name of the desk; null if there is none or it was deleted. */
  @IsOptional()
  @IsString()
  name?: string | null;
}
