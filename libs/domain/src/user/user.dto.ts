import { IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsListOf } from '../validation/decorators.ts';

/** A provider of health data, such as a wearable manufacturer. */
export class SourceDto {
  /** URL of the provider's logo. */
  @IsString()
  logo!: string;

  /** Display name of the provider. */
  @IsString()
  name!: string;

  /** Slug of the provider. */
  @IsString()
  slug!: string;
}

/** A source of health data that the user has connected. */
export class ConnectedSourceDto {
  /** When the source was connected. */
  @HasFormat('date-time')
  created_on!: string;

  /** The provider of the source. */
  @IsEntity(() => SourceDto)
  source!: SourceDto;
}

/** The time zone used for sources that don't report one. */
export class FallbackTimeZoneDto {
  /** IANA time zone ID, such as `Europe/Berlin`. */
  @HasFormat('time-zone-id')
  id!: string;

  /** Slug of the source that set the time zone. */
  @IsString()
  source_slug!: string;

  /** When the time zone was set. */
  @HasFormat('date-time')
  updated_at!: string;
}

/** The date of birth used for providers that don't report an age. The maximum heart rate is computed from it. */
export class FallbackBirthDateDto {
  /** Date of birth, YYYY-MM-DD. */
  @HasFormat('date')
  value!: string;

  /** Slug of the source that set the date of birth. */
  @IsString()
  source_slug!: string;

  /** When the date of birth was set. */
  @HasFormat('date-time')
  updated_at!: string;
}

abstract class UserFieldsDto {
  /** ID of the user, used in all other operations on that user. */
  @HasFormat('uuid')
  user_id!: string;

  /** ID of the team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /**
   * ID of the user in the team's own system, unique in the team. It must not be an e-mail address, phone number or
   * other personal data.
   */
  @IsString()
  client_user_id!: string;

  /** When the user was created. */
  @HasFormat('date-time')
  created_on!: string;

  /** The sources that the user has connected. */
  @IsListOf(() => ConnectedSourceDto)
  connected_sources!: ConnectedSourceDto[];

  /** The date of birth used for providers that don't report an age. */
  @IsOptional()
  @IsEntity(() => FallbackBirthDateDto)
  fallback_birth_date?: FallbackBirthDateDto | null;

  /** First day for which data is ingested, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  ingestion_start?: string | null;

  /** Last day for which data is ingested, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  ingestion_end?: string | null;
}

/** A user (patient) of a team, as returned by resolve (interface document 2.1). */
export class UserDto extends UserFieldsDto {
  static readonly example: UserDto = {
    user_id: '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d',
    team_id: '5b1de2f4-0c77-4d0e-9c1a-2f6b8e3a7d10',
    client_user_id: 'patient-17',
    created_on: '2026-01-12T09:30:00+00:00',
    connected_sources: [
      {
        created_on: '2026-01-12T09:41:00+00:00',
        source: { logo: 'https://example.com/logos/oura.png', name: 'Oura', slug: 'oura' },
      },
    ],
    fallback_time_zone: {
      id: 'America/New_York',
      source_slug: 'oura',
      updated_at: '2026-01-12T09:41:00+00:00',
    },
    fallback_birth_date: {
      value: '1988-06-04',
      source_slug: 'oura',
      updated_at: '2026-01-12T09:41:00+00:00',
    },
    ingestion_start: null,
    ingestion_end: null,
  };

  /** The time zone used for sources that don't report one. */
  @IsEntity(() => FallbackTimeZoneDto)
  fallback_time_zone!: FallbackTimeZoneDto;
}

/** A user as returned by the list, where the fallback time zone is optional. */
export class ListedUserDto extends UserFieldsDto {
  /** The time zone used for sources that don't report one. */
  @IsOptional()
  @IsEntity(() => FallbackTimeZoneDto)
  fallback_time_zone?: FallbackTimeZoneDto | null;
}
