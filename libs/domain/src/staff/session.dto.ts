import { IsBoolean, IsObject, IsOptional, IsString } from 'class-validator';
import { Closed, HasFormat, IsEntity, IsOneOf } from '../validation/decorators.ts';
import { CALLER_KINDS, type CallerKind } from '../validation/known-values.ts';

/** Sign-in of a staff member at a desk. */
@Closed()
export class SessionRequestDto {
  /** Id of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** ID token of the clinic's identity provider. */
  @IsString()
  id_token!: string;

  /** The random part of its nonce: base64url(SHA-256(thumbprint of the desk's key, ".", this)). */
  @HasFormat('one-line')
  nonce_random!: string;
}

/** A staff member. */
export class SessionStaffDto {
  /** Id of the staff member. */
  @HasFormat('uuid')
  staff_id!: string;

  /** Name of the staff member. */
  @IsString()
  name!: string;

  /** Role in this session. */
  @IsString()
  role!: string;

  /** Id of the team. */
  @HasFormat('uuid')
  team_id!: string;
}

/** A desk. */
export class SessionDeskDto {
  /** Id of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** Name of the desk. */
  @IsString()
  name!: string;
}

/** The times of a session. */
export class SessionTimesDto {
  /** Id of the session. */
  @HasFormat('uuid')
  session_id!: string;

  /** When it expires unless it is renewed. */
  @HasFormat('date-time')
  expires_at!: string;

  /** When it ends in any case. */
  @HasFormat('date-time')
  ends_at!: string;
}

/** A session of a staff member at a desk. */
export class SessionDto extends SessionTimesDto {
  /** The token for `Authorization: DPoP`; only in the answer that begins the session. */
  @IsOptional()
  @IsString()
  session?: string | null;

  /** Whether the staff member has a PIN. */
  @IsBoolean()
  pin_set!: boolean;

  /** Whose session it is. */
  @IsEntity(() => SessionStaffDto)
  staff!: SessionStaffDto;

  /** At which desk. */
  @IsEntity(() => SessionDeskDto)
  desk!: SessionDeskDto;
}

/** A PIN. */
@Closed()
export class PinEntryDto {
  /** 6 to 12 digits. */
  @HasFormat('pin')
  pin!: string;
}

/** Who the caller is, and what the role may do. */
export class MeDto {
  /** Whether a staff member or a key. */
  @IsOneOf(CALLER_KINDS)
  kind!: CallerKind;

  /** Name of the staff member, or label of the key. */
  @IsString()
  name!: string;

  /** Role of the caller. */
  @IsString()
  role!: string;

  /** Id of the team. */
  @HasFormat('uuid')
  team_id!: string;

  /** Id of the staff member; null for a key. */
  @IsOptional()
  @HasFormat('uuid')
  staff_id?: string | null;

  /** The desk; null for a key. */
  @IsOptional()
  @IsEntity(() => SessionDeskDto)
  desk?: SessionDeskDto | null;

  /** The session; null for a key. */
  @IsOptional()
  @IsEntity(() => SessionTimesDto)
  session?: SessionTimesDto | null;

  /** `yes`, `mask`, `no` or `emergency` (only by emergency access) by the name of the operation. */
  @IsObject()
  permissions!: Record<string, unknown>;
}
