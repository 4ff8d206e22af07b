import { IsBoolean, IsObject, IsOptional, IsString } from 'class-validator';
import { Closed, HasFormat, IsEntity, IsOneOf } from '../validation/decorators.ts';
import { CALLER_KINDS, type CallerKind } from '../validation/known-values.ts';

/** Sign-in of a staff member at a desk. */
@Closed()
export class SessionRequestDto {
  /** ID of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** ID token of the clinic's identity provider. */
  @IsString()
  id_token!: string;

  /**
   * The random part of the ID token's nonce, which is base64url(SHA-256(thumbprint of the desk's key, ".", random
   * part)).
   */
  @HasFormat('one-line')
  nonce_random!: string;
}

/** A staff member. */
export class SessionStaffDto {
  /** ID of the staff member. */
  @HasFormat('uuid')
  staff_id!: string;

  /** Name of the staff member. */
  @IsString()
  name!: string;

  /** Role in this session. */
  @IsString()
  role!: string;

  /** ID of the team. */
  @HasFormat('uuid')
  team_id!: string;
}

/** A desk. */
export class SessionDeskDto {
  /** ID of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** Name of the desk. */
  @IsString()
  name!: string;
}

/** ID and end of a session. */
export class SessionTimesDto {
  /** ID of the session. */
  @HasFormat('uuid')
  session_id!: string;

  /** When the session expires unless it is renewed. */
  @HasFormat('date-time')
  expires_at!: string;

  /** When the session ends, even if it is renewed. */
  @HasFormat('date-time')
  ends_at!: string;
}

/** A session of a staff member at a desk. */
export class SessionDto extends SessionTimesDto {
  /** The token for `Authorization: DPoP`. Only the response that starts the session has it. */
  @IsOptional()
  @IsString()
  session?: string | null;

  /** Whether the staff member has a PIN. */
  @IsBoolean()
  pin_set!: boolean;

  /** The staff member who signed in. */
  @IsEntity(() => SessionStaffDto)
  staff!: SessionStaffDto;

  /** The desk of the session. */
  @IsEntity(() => SessionDeskDto)
  desk!: SessionDeskDto;
}

/** A PIN. */
@Closed()
export class PinEntryDto {
  /** The PIN, 6 to 12 digits. */
  @HasFormat('pin')
  pin!: string;
}

/** The caller, and what the caller's role may do. */
export class MeDto {
  /** Whether the caller is a staff member or an API key. */
  @IsOneOf(CALLER_KINDS)
  kind!: CallerKind;

  /** Name of the staff member, or label of the API key. */
  @IsString()
  name!: string;

  /** Role of the caller. */
  @IsString()
  role!: string;

  /** ID of the team. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the staff member; null for an API key. */
  @IsOptional()
  @HasFormat('uuid')
  staff_id?: string | null;

  /** The desk of the session; null for an API key. */
  @IsOptional()
  @IsEntity(() => SessionDeskDto)
  desk?: SessionDeskDto | null;

  /** ID and end of the session; null for an API key. */
  @IsOptional()
  @IsEntity(() => SessionTimesDto)
  session?: SessionTimesDto | null;

  /**
   * Permission for each operation by name: `yes`, `mask` (masked fields), `no` or `emergency` (only with emergency
   * access).
   */
  @IsObject()
  permissions!: Record<string, unknown>;
}
