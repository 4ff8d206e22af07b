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

/** Request for emergency access to one user. */
@Closed()
export class BreakGlassRequestDto {
  /** Category of the reason. */
  @IsOneOf(BREAK_GLASS_REASONS)
  reason_code!: BreakGlassReason;

  /** Reason as text: at least 20 letters or digits, of any script, and at most 2000 characters. */
  @HasFormat('reason-text')
  text!: string;

  /** Id of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** A new ID token (`max_age=0`), from who signed in at the identity provider. */
  @MayBeMissing()
  @IsString()
  id_token?: string;

  /** The random part of its nonce, as at the sign-in. */
  @MayBeMissing()
  @HasFormat('one-line')
  nonce_random?: string;
}

/** Review of an emergency access grant. */
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

/** Filter of the emergency access grants. */
@Closed()
export class BreakGlassListQueryDto {
  /** Grants waiting for review (`open`, the default), or all. */
  @MayBeMissing()
  @IsOneOf(REVIEW_STATES)
  state?: ReviewState;

  /** `next_cursor` of the previous page. */
  @MayBeMissing()
  @HasFormat('uuid')
  cursor?: string;
}

/** Path parameters of an emergency access grant. */
@Closed()
export class BreakGlassParamsDto {
  /** Id of the emergency access grant. */
  @IsString()
  break_glass_id!: string;
}

/** A new emergency access grant. */
export class BreakGlassGrantedDto {
  /** Id of the emergency access grant. */
  @IsString()
  break_glass_id!: string;

  /** The user whose data can be read. */
  @HasFormat('uuid')
  user_id!: string;

  /** When the grant expires. */
  @HasFormat('date-time')
  expires_at!: string;
}

/** An emergency access grant and its review. */
export class BreakGlassGrantDto {
  /** Id of the emergency access grant. */
  @IsString()
  break_glass_id!: string;

  /** Id of the team. */
  @HasFormat('uuid')
  team_id!: string;

  /** Id of the key with the grant; null if a staff member has it. */
  @IsOptional()
  @IsString()
  key_id?: string | null;

  /** Label of that key. */
  @IsOptional()
  @IsString()
  key_label?: string | null;

  /** Id of the staff member with the grant; null if a key has it. */
  @IsOptional()
  @IsString()
  staff_id?: string | null;

  /** Name of that staff member. */
  @IsOptional()
  @IsString()
  staff_name?: string | null;

  /** Role of the key or staff member. */
  @IsString()
  role!: string;

  /** The user whose data could be read. */
  @HasFormat('uuid')
  user_id!: string;

  /** Category of the reason. */
  @IsString()
  reason_code!: string;

  /** Reason as text. */
  @IsString()
  text!: string;

  /** When access was granted. */
  @HasFormat('date-time')
  granted_at!: string;

  /** When the grant expires or expired. */
  @HasFormat('date-time')
  expires_at!: string;

  /** When its review is due. */
  @HasFormat('date-time')
  review_due_at!: string;

  /** Whether the grant was not reviewed in time. */
  @IsBoolean()
  overdue!: boolean;

  /** When the grant was reviewed; null before. */
  @IsOptional()
  @HasFormat('date-time')
  reviewed_at?: string | null;

  /** Id of the reviewing key or staff member; null before the review. */
  @IsOptional()
  @IsString()
  reviewed_by?: string | null;

  /** Name of the reviewing staff member, or label of the key; null before the review. */
  @IsOptional()
  @IsString()
  reviewed_by_name?: string | null;

  /** Outcome of the review; null before. */
  @IsOptional()
  @IsString()
  outcome?: string | null;

  /** Remarks of the review; null if none. */
  @IsOptional()
  @IsString()
  note?: string | null;
}

/** Page of the emergency access grants of the team: those waiting for review oldest first, all of them newest first. */
export class BreakGlassGrantListDto {
  /** The emergency access grants. */
  @IsListOf(() => BreakGlassGrantDto)
  grants!: BreakGlassGrantDto[];

  /** Cursor of the next page; null on the last page. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}
