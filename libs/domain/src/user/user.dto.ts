import { IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsListOf } from '../validation/decorators.ts';

/** A provider of health data, such as a maker of wearables. */
export class SourceDto {
  /** Address of the provider's logo. */
  @IsString()
  logo!: string;

  /** The provider's name, for people. */
  @IsString()
  name!: string;

  /** The provider's name, for programs. */
  @IsString()
  slug!: string;
}

/** A source that the user has connected. */
export class ConnectedSourceDto {
  /** When it was connected. */
  @HasFormat('date-time')
  created_on!: string;

  /** The provider. */
  @IsEntity(() => SourceDto)
  source!: SourceDto;
}

/** The time zone that stands in for sources that know none. */
export class FallbackTimeZoneDto {
  /** IANA time zone id, such as `Europe/Berlin`. */
  @HasFormat('time-zone-id')
  id!: string;

  /** Slug of the source that set the value. */
  @IsString()
  source_slug!: string;

  /** When it was set. */
  @HasFormat('date-time')
  updated_at!: string;
}

/** The date of birth that stands in for providers that give no age; the maximum heart rate is computed from it. */
export class FallbackBirthDateDto {
  /** Date of birth, YYYY-MM-DD. */
  @HasFormat('date')
  value!: string;

  /** Slug of the source that set the value. */
  @IsString()
  source_slug!: string;

  /** When it was set. */
  @HasFormat('date-time')
  updated_at!: string;
}

abstract class UserFieldsDto {
  /** The service's id of the user, for all later calls about that user. */
  @HasFormat('uuid')
  user_id!: string;

  /** The team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** The team's own id of the user, unique in the team. No e-mail address, phone number or other personal data. */
  @IsString()
  client_user_id!: string;

  /** When the user was created. */
  @HasFormat('date-time')
  created_on!: string;

  /** The sources that the user has connected. */
  @IsListOf(() => ConnectedSourceDto)
  connected_sources!: ConnectedSourceDto[];

  /** Stand-in date of birth. */
  @IsOptional()
  @IsEntity(() => FallbackBirthDateDto)
  fallback_birth_date?: FallbackBirthDateDto | null;

  /** First day of which data is taken in, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  ingestion_start?: string | null;

  /** Last day of which data is taken in, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  ingestion_end?: string | null;
}

/** A user (patient) of a team, as resolving one gives it (interface document 2.1). */
export class UserDto extends UserFieldsDto {
  /** Stand-in time zone. */
  @IsEntity(() => FallbackTimeZoneDto)
  fallback_time_zone!: FallbackTimeZoneDto;
}

/** A user as the list gives it: the time zone is promised for a single user only. */
export class ListedUserDto extends UserFieldsDto {
  /** Stand-in time zone. */
  @IsOptional()
  @IsEntity(() => FallbackTimeZoneDto)
  fallback_time_zone?: FallbackTimeZoneDto | null;
}
