import { IsOptional, IsString } from 'class-validator';
import { Closed, HasFormat, MayBeMissing } from '../validation/decorators.ts';

/** Enrolment of a desk; its key is that of the request's proof. */
@Closed()
export class DeskEnrolmentDto {
  /** The code that `caregate desks enrol` showed: 10 characters, with or without a hyphen. */
  @HasFormat('enrolment-code')
  code!: string;

  /** Name of the desk, instead of the one given with the code. */
  @MayBeMissing()
  @HasFormat('one-line')
  name?: string;
}

/** An enrolled desk. */
export class EnrolledDeskDto {
  /** Id of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** Name of the desk. */
  @IsString()
  name!: string;

  /** Id of its team. */
  @HasFormat('uuid')
  team_id!: string;

  /** Name of the clinic; null if not configured. */
  @IsOptional()
  @IsString()
  clinic_name?: string | null;
}

/** The next key of a desk, offered by the key that it has. */
@Closed()
export class DeskKeyOfferDto {
  /** Id of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** A proof (DPoP) of the next key, for this request and the desk's id as its `ath`. */
  @IsString()
  proof!: string;
}

/** A badge read at a desk. */
@Closed()
export class BadgeReadDto {
  /** Id of the desk. */
  @HasFormat('uuid')
  desk_id!: string;

  /** What the reader sent. */
  @HasFormat('one-line')
  badge!: string;
}

/** Whose badge it is; a badge names, it never proves. */
export class BadgeHolderDto {
  /** Id of the staff member. */
  @HasFormat('uuid')
  staff_id!: string;

  /** Name of the staff member. */
  @IsString()
  name!: string;
}
