import { IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsOpenEnum } from '../validation/decorators.ts';
import { type Gender, GENDERS } from '../validation/known-values.ts';

/** Postal address of a user. */
export class UserInfoAddressDto {
  /** Street and number. */
  @IsOptional()
  @IsString()
  first_line?: string | null;

  /** Apartment, building or care of. */
  @IsOptional()
  @IsString()
  second_line?: string | null;

  /** Postal code. */
  @IsOptional()
  @IsString()
  zip?: string | null;

  /** City. */
  @IsOptional()
  @IsString()
  city?: string | null;

  /** State or province. */
  @IsOptional()
  @IsString()
  state?: string | null;

  /** Country, ISO 3166-1 with two letters. */
  @IsOptional()
  @IsString()
  country?: string | null;
}

/** A user's name, birth date, gender, contact and address. Unknown values are missing or null. */
export class UserInfoDto {
  static readonly example: UserInfoDto = {
    first_name: 'Amara',
    last_name: 'Okonkwo',
    email: 'amara@example.org',
    phone_number: '+14155550123',
    gender: 'female',
    dob: '1988-06-04',
    address: {
      first_line: '12 Elm Street',
      second_line: null,
      zip: '94107',
      city: 'San Francisco',
      state: 'CA',
      country: 'US',
    },
  };

  /** Given names. */
  @IsOptional()
  @IsString()
  first_name?: string | null;

  /** Family names. */
  @IsOptional()
  @IsString()
  last_name?: string | null;

  /** E-mail address. */
  @IsOptional()
  @IsString()
  email?: string | null;

  /** Phone number. */
  @IsOptional()
  @IsString()
  phone_number?: string | null;

  /** Gender on record. */
  @IsOptional()
  @IsOpenEnum(GENDERS)
  gender?: Gender | null;

  /** Date of birth, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  dob?: string | null;

  /** Postal address. */
  @IsOptional()
  @IsEntity(() => UserInfoAddressDto)
  address?: UserInfoAddressDto | null;
}
