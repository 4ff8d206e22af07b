import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { IsEntity } from '../validation/decorators.ts';

/** The identity provider of the clinic (OpenID Connect). */
export class SignInProviderDto {
  /** Issuer URL, which has its configuration at `/.well-known/openid-configuration`. */
  @IsString()
  issuer!: string;

  /** Client ID of the desktop at the provider. */
  @IsString()
  client_id!: string;

  /** Name of the provider, to show on the sign-in button. */
  @IsString()
  name!: string;

  /**
   * Client secret for desktop clients, which some providers require although it is not confidential (Google); null if
   * none.
   */
  @IsOptional()
  @IsString()
  client_secret?: string | null;
}

/** Allowed lengths of a PIN. */
export class PinDigitsDto {
  /** Minimum number of digits. */
  @IsInt()
  @Min(6)
  min!: number;

  /** Maximum number of digits. */
  @IsInt()
  @Min(6)
  max!: number;
}

/** What a desk needs to know before a user signs in. */
export class SignInInfoDto {
  /** Name of the clinic; null if not configured. */
  @IsOptional()
  @IsString()
  clinic_name?: string | null;

  /** The identity provider of the clinic; null if not configured. */
  @IsOptional()
  @IsEntity(() => SignInProviderDto)
  provider?: SignInProviderDto | null;

  /** Allowed lengths of a PIN. */
  @IsEntity(() => PinDigitsDto)
  pin!: PinDigitsDto;

  /** Newest version of the desk interface that the service supports. */
  @IsInt()
  @Min(1)
  desk_interface!: number;

  /** Oldest version of the desk interface that the service supports. */
  @IsInt()
  @Min(1)
  oldest_desk_interface!: number;

  /** Minutes without activity after which a desk locks. */
  @IsInt()
  @Min(1)
  lock_minutes!: number;

  /** Hours after which a session ends, even while it is used. */
  @IsInt()
  @Min(1)
  session_hours!: number;
}
