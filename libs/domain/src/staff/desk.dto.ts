import { IsOptional, IsString } from 'class-validator';
import { Closed, HasFormat, MayBeMissing } from '../validation/decorators.ts';

/** Enrolls a desk. The desk's public key is in the DPoP proof of the request. */
@Closed()
export class DeskEnrolmentDto {
  /** The code that `caregate desks enrol` printed: 10 characters, with or without a hyphen. */
  @HasFormat('enrolment-code')
  code!: string;

  /** Name of the desk, which replaces the name given with the code. */
  @MayBeMissing()
  @HasFormat('one-line')
  name?: string;
}

/** An enrolled desk. */
export class EnrolledDeskDto {
  /** ID of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** Name of the desk. */
  @IsString()
  name!: string;

  /** ID of the desk's team. */
  @HasFormat('uuid')
  team_id!: string;

  /** Name of the clinic; null if not configured. */
  @IsOptional()
  @IsString()
  clinic_name?: string | null;
}

/** The next public key of a desk, offered with a request that the current key signs. */
@Closed()
export class DeskKeyOfferDto {
  /** ID of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** A DPoP proof signed with the next key, for this request, with the ID of the desk as its `ath`. */
  @IsString()
  proof!: string;
}

/** A badge that was read at a desk. */
@Closed()
export class BadgeReadDto {
  /** ID of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** The text that the badge reader sent. */
  @HasFormat('one-line')
  badge!: string;
}

/** The staff member whose badge was read. A badge identifies its holder but doesn't authenticate. */
export class BadgeHolderDto {
  /** ID of the staff member. */
  @HasFormat('uuid')
  staff_id!: string;

  /** Name of the staff member. */
  @IsString()
  name!: string;
}
