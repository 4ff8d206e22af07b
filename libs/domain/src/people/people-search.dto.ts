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

/** A search for people. The text is in the request body, since names must not be in URLs. */
@Closed()
export class PeopleSearchDto {
  /**
   * Names or parts of names in any order, a birth date as YYYY-MM-DD, digits of a phone number, or an ID. It must
   * have at least three letters or digits, two characters of Han, Hangul or kana, or a date.
   */
  @HasFormat('search-text')
  text!: string;

  /** Maximum number of people to return; default 8. */
  @MayBeMissing()
  @IsInt()
  @Min(1)
  @Max(20)
  limit?: number;
}

/** A person that matches the search. */
export class FoundPersonDto {
  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** ID of the user in the team's own system. */
  @IsOptional()
  @IsString()
  client_user_id?: string | null;

  /** Name of the person. */
  @IsOptional()
  @IsString()
  name?: string | null;

  /** Record type that the name comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  name_source?: PersonSource | null;

  /** Date of the record that the name comes from, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  name_as_of?: string | null;

  /** Date of birth, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  birth_date?: string | null;

  /** Record type that the date of birth comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  birth_date_source?: PersonSource | null;

  /** Phone number, to distinguish people with the same name and birth date. */
  @IsOptional()
  @IsString()
  phone?: string | null;

  /** Record type that the phone number comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  phone_source?: PersonSource | null;

  /** Town and state of the address, to distinguish people with the same name and birth date. */
  @IsOptional()
  @IsString()
  town?: string | null;

  /** Record type that the town comes from. */
  @IsOptional()
  @IsOpenEnum(PERSON_SOURCES)
  town_source?: PersonSource | null;

  /** Date of the person's newest record, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  last_seen?: string | null;

  /**
   * What matches the text. `near_id`: an ID that differs from the text by one typing error. `sound`: a name that
   * sounds alike.
   */
  @IsOpenEnum(PERSON_MATCHES)
  matched!: PersonMatch;

  /** The matching name, if it differs from `name`. */
  @IsOptional()
  @IsString()
  matched_name?: string | null;

  /** The matching date of birth, if it differs from `birth_date`. */
  @IsOptional()
  @HasFormat('date')
  matched_birth_date?: string | null;
}

/** The people that match a search, best match first. */
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

  /** `people`: all records of people were searched. `orders`: only the lab orders of an upstream were searched. */
  @IsOneOf(PEOPLE_SEARCHED)
  searched!: PeopleSearched;

  /** Number of people that match, including those beyond the limit. A lower bound if `more` is true. */
  @IsInt()
  @Min(0)
  total!: number;

  /** Whether more than `total` people may match. */
  @IsBoolean()
  more!: boolean;
}
