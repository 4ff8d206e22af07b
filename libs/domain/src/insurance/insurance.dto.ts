import { IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsOpenEnum } from '../validation/decorators.ts';
import {
  type Gender,
  GENDERS,
  type Relationship,
  RELATIONSHIPS,
} from '../validation/known-values.ts';

/** Postal address of the insured person. */
export class AddressDto {
  /** Street and number. */
  @IsString()
  first_line!: string;

  /** Apartment, building or care of. */
  @IsOptional()
  @IsString()
  second_line?: string | null;

  /** Postal code. */
  @IsString()
  zip_code!: string;

  /** State or province. */
  @IsString()
  state!: string;

  /** City. */
  @IsString()
  city!: string;
}

/** The insured person. */
export class InsuredPersonDto {
  /** Given name. */
  @IsString()
  first_name!: string;

  /** Family name. */
  @IsString()
  last_name!: string;

  /** E-mail address. */
  @IsOptional()
  @IsString()
  email?: string | null;

  /** Phone number in international format with a leading +. */
  @IsOptional()
  @HasFormat('phone-number')
  phone_number?: string | null;

  /** Gender on record with the payor. */
  @IsOptional()
  @IsOpenEnum(GENDERS)
  gender?: Gender | null;

  /** Date of birth, YYYY-MM-DD. */
  @IsOptional()
  @HasFormat('date')
  dob?: string | null;

  /** Postal address. */
  @IsOptional()
  @IsEntity(() => AddressDto)
  address?: AddressDto | null;
}

/** A user's insurance (interface document 2.4). */
export class InsuranceDto {
  static readonly example: InsuranceDto = {
    payor_code: 'AETNA',
    member_id: 'W123456789',
    group_id: 'G-4410',
    relationship: 'Self',
    insured: {
      first_name: 'Amara',
      last_name: 'Okonkwo',
      email: 'amara@example.org',
      phone_number: '+14155550123',
      gender: 'female',
      dob: '1988-06-04',
      address: {
        first_line: '12 Elm Street',
        second_line: null,
        zip_code: '94107',
        state: 'CA',
        city: 'San Francisco',
      },
    },
  };

  /** Code of the payor. */
  @IsString()
  payor_code!: string;

  /** Member ID with the payor. */
  @IsString()
  member_id!: string;

  /** Group ID with the payor. */
  @IsOptional()
  @IsString()
  group_id?: string | null;

  /** Relationship of the patient to the insured person. Undocumented values may appear. */
  @IsOpenEnum(RELATIONSHIPS)
  relationship!: Relationship;

  /** The insured person (policyholder). */
  @IsEntity(() => InsuredPersonDto)
  insured!: InsuredPersonDto;
}
