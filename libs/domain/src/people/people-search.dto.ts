import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  Closed,
  HasFormat,
  IsListOf,
  IsOneOf,
  IsOpenEnum,
  MayBeMissing,
} from '../validation/decorators.ts';
import {
  type PeopleSearched,
  PEOPLE_SEARCHED,
  type PersonMatch,
  PERSON_MATCHES,
  type PersonSource,
  PERSON_SOURCES,
} from '../validation/known-values.ts';

/** A search for people. The text stands in the body, since names never stand in an address. */
@Closed()
export class PeopleSearchDto {
  /**
   * Names or parts of names in any order, a birth date as YYYY-MM-DD, digits of a phone number, or an id. At least three
   * letters or digits, two characters of Han, Hangul or kana, or a date.
   */
  @HasFormat('search-text')
  text!: string;

  /** How many people at most; default 8. */
  @MayBeMissing()
  @IsInt()
  @Min(1)
  @Max(20)
  limit?: number;
}

/** A person who was found. */
export class FoundPersonDto {
  /** Id of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** Id of the user in the team's own system. */
  @IsOptional()
  @IsString()
  client_user_id?: string | null;

  /** The person's name as it is known. */
  @IsOptional()
  @IsString()
  name?: string | null;

  /** Where the name comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  name_source?: PersonSource | null;

  /** Day of the record with the name. */
  @IsOptional()
  @HasFormat('date')
  name_as_of?: string | null;

  /** Date of birth, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  birth_date?: string | null;

  /** Where the date of birth comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  birth_date_source?: PersonSource | null;

  /** Phone number, by which people of one name and birth date are told apart. */
  @IsOptional()
  @IsString()
  phone?: string | null;

  /** Where the phone number comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  phone_source?: PersonSource | null;

  /** Town and state of the address, for the same. */
  @IsOptional()
  @IsString()
  town?: string | null;

  /** Where the town comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  town_source?: PersonSource | null;

  /** Day of the newest record of the person. */
  @IsOptional()
  @HasFormat('date')
  last_seen?: string | null;

  /** What of the person matches the text; `near_id`: an id that is one slip from it. */
  @IsOpenEnum(PERSON_MATCHES)
  matched!: PersonMatch;

  /** The name that matches, if it is another one than `name`. */
  @IsOptional()
  @IsString()
  matched_name?: string | null;

  /** The date of birth that matches, if another record has another one than `birth_date`. */
  @IsOptional()
  @HasFormat('date')
  matched_birth_date?: string | null;
}

/** The people found, best first. */
export class FoundPeopleDto {
  static readonly example: FoundPeopleDto = {
    people: [
      {
        user_id: '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d',
        client_user_id: 'patient-17',
        name: 'Amara Okonkwo',
        name_source: 'info',
        birth_date: '1988-06-04',
        birth_date_source: 'info',
        matched: 'name',
        matched_name: 'Amara Okonkwo',
      },
    ],
    searched: 'people',
    total: 1,
    more: false,
  };

  /** The people. */
  @IsListOf(() => FoundPersonDto)
  people!: FoundPersonDto[];

  /** What was searched: all that is known of people, or, of an upstream, its lab orders only. */
  @IsOneOf(PEOPLE_SEARCHED)
  searched!: PeopleSearched;

  /** How many people match, also beyond the limit; at least so many where `more` is true. */
  @IsInt()
  @Min(0)
  total!: number;

  /** Whether more than `total` may match. */
  @IsBoolean()
  more!: boolean;
}
