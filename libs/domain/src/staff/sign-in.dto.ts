import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { IsEntity } from '../validation/decorators.ts';

/** The identity provider of the clinic (OpenID Connect). */
export class SignInProviderDto {
  /** Issuer URL; its configuration is at `/.well-known/openid-configuration` below it. */
  @IsString()
  issuer!: string;

  /** Client id of the desktop at the provider. */
  @IsString()
  client_id!: string;

  /** Name to show. */
  @IsString()
  name!: string;

  /** Secret that the provider asks of desktop clients, though it is none (Google); null if none. */
  @IsOptional()
  @IsString()
  client_secret?: string | null;
}

/** Numbers of digits that a PIN may have. */
export class PinDigitsDto {
  /** Fewest. */
  @IsInt()
  @Min(6)
  min!: number;

  /** Most. */
  @IsInt()
  @Min(6)
  max!: number;
}

/** What a desk needs to know before anybody has signed in. */
export class SignInInfoDto {
  /** Name of the clinic; null if not configured. */
  @IsOptional()
  @IsString()
  clinic_name?: string | null;

  /** The identity provider; null if not configured. */
  @IsOptional()
  @IsEntity(() => SignInProviderDto)
  provider?: SignInProviderDto | null;

  /** Numbers of digits of a PIN. */
  @IsEntity(() => PinDigitsDto)
  pin!: PinDigitsDto;

  /** Number of the newest interface for desks that the service speaks. */
  @IsInt()
  @Min(1)
  desk_interface!: number;

  /** Number of the oldest one that it still speaks. */
  @IsInt()
  @Min(1)
  oldest_desk_interface!: number;

  /** Idle minutes after which a desk locks. */
  @IsInt()
  @Min(1)
  lock_minutes!: number;

  /** Hours after which a session ends, even in use. */
  @IsInt()
  @Min(1)
  session_hours!: number;
}
