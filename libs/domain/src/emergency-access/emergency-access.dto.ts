import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { Closed, HasFormat, IsListOf, IsOneOf, MayBeMissing } from '../validation/decorators.ts';
import {
  BREAK_GLASS_REASONS,
  type BreakGlassReason,
  REVIEW_OUTCOMES,
  REVIEW_STATES,
  type ReviewOutcome,
  type ReviewState,
} from '../validation/known-values.ts';

/** Request for emergency access to the data of one user. */
@Closed()
export class BreakGlassRequestDto {
  /** Category of the reason. */
  @IsOneOf(BREAK_GLASS_REASONS)
  reason_code!: BreakGlassReason;

  /** Reason as free text: at least 20 letters or digits of any script, and at most 2000 characters. */
  @HasFormat('reason-text')
  text!: string;

  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** A new ID token (requested with `max_age=0`), if the staff member signs in at the identity provider. */
  @MayBeMissing()
  @IsString()
  id_token?: string;

  /** The random part of the ID token's nonce, as at the sign-in. */
  @MayBeMissing()
  @HasFormat('one-line')
  nonce_random?: string;
}

/** Review of an emergency access. */
@Closed()
export class BreakGlassReviewDto {
  /** Outcome of the review. */
  @IsOneOf(REVIEW_OUTCOMES)
  outcome!: ReviewOutcome;

  /** Remarks, at most 2000 characters. */
  @MayBeMissing()
  @HasFormat('note-text')
  note?: string;
}

/** Filter of the emergency accesses. */
@Closed()
export class BreakGlassListQueryDto {
  /** `open` (default): emergency accesses that wait for a review. `all`: all of them. */
  @MayBeMissing()
  @IsOneOf(REVIEW_STATES)
  state?: ReviewState;

  /** `next_cursor` of the previous page. */
  @MayBeMissing()
  @HasFormat('uuid')
  cursor?: string;
}

/** Path of an emergency access. */
@Closed()
export class BreakGlassParamsDto {
  /** ID of the emergency access. */
  @IsString()
  break_glass_id!: string;
}

/** A new emergency access. */
export class BreakGlassGrantedDto {
  /** ID of the emergency access. */
  @IsString()
  break_glass_id!: string;

  /** ID of the user (patient) whose data can be read. */
  @HasFormat('uuid')
  user_id!: string;

  /** When the emergency access expires. */
  @HasFormat('date-time')
  expires_at!: string;
}

/** An emergency access and its review. */
export class BreakGlassGrantDto {
  /** ID of the emergency access. */
  @IsString()
  break_glass_id!: string;

  /** ID of the team. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the API key that was used; null if a staff member has the access. */
  @IsOptional()
  @IsString()
  key_id?: string | null;

  /** Label of the API key; null if a staff member has the access. */
  @IsOptional()
  @IsString()
  key_label?: string | null;

  /** ID of the staff member; null if an API key has the access. */
  @IsOptional()
  @IsString()
  staff_id?: string | null;

  /** Name of the staff member; null if an API key has the access. */
  @IsOptional()
  @IsString()
  staff_name?: string | null;

  /** Role of the API key or staff member. */
  @IsString()
  role!: string;

  /** ID of the user (patient) whose data can or could be read. */
  @HasFormat('uuid')
  user_id!: string;

  /** Category of the reason. */
  @IsString()
  reason_code!: string;

  /** Reason as free text. */
  @IsString()
  text!: string;

  /** When access was granted. */
  @HasFormat('date-time')
  granted_at!: string;

  /** When the emergency access expires or expired. */
  @HasFormat('date-time')
  expires_at!: string;

  /** When the review is due. */
  @HasFormat('date-time')
  review_due_at!: string;

  /** Whether the review is overdue, or was late. */
  @IsBoolean()
  overdue!: boolean;

  /** When the emergency access was reviewed; null before. */
  @IsOptional()
  @HasFormat('date-time')
  reviewed_at?: string | null;

  /** ID of the staff member or API key that reviewed it; null before the review. */
  @IsOptional()
  @IsString()
  reviewed_by?: string | null;

  /** Name of the staff member, or label of the API key, that reviewed it; null before the review. */
  @IsOptional()
  @IsString()
  reviewed_by_name?: string | null;

  /** Outcome of the review; null before the review. */
  @IsOptional()
  @IsString()
  outcome?: string | null;

  /** Remarks of the review; null if there are none. */
  @IsOptional()
  @IsString()
  note?: string | null;
}

/** A page of the team's emergency accesses: those waiting for a review oldest first, or all of them newest first. */
export class BreakGlassGrantListDto {
  /** The emergency access grants. */
  @IsListOf(() => BreakGlassGrantDto)
  grants!: BreakGlassGrantDto[];

  /** Cursor of the next page; null on the last page. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}
