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

/** What is sent to ask for emergency access to one user. */
@Closed()
export class BreakGlassRequestDto {
  /** Why, by its kind. */
  @IsOneOf(BREAK_GLASS_REASONS)
  reason_code!: BreakGlassReason;

  /** Why, in words: 20 to 2000 characters, blanks around them not counted. */
  @HasFormat('reason-text')
  text!: string;

  /** The service's id of the user. */
  @HasFormat('uuid')
  user_id!: string;
}

/** What is sent to review an emergency access. */
@Closed()
export class BreakGlassReviewDto {
  /** What the review found. */
  @IsOneOf(REVIEW_OUTCOMES)
  outcome!: ReviewOutcome;

  /** Remarks, 2000 characters at most. */
  @MayBeMissing()
  @HasFormat('note-text')
  note?: string;
}

/** Which emergency accesses are listed. */
@Closed()
export class BreakGlassListQueryDto {
  /** Those that await review, or all; `open` where it is left out. */
  @MayBeMissing()
  @IsOneOf(REVIEW_STATES)
  state?: ReviewState;
}

/** Path of reviewing an emergency access. */
@Closed()
export class BreakGlassParamsDto {
  /** Id of the emergency access. */
  @IsString()
  break_glass_id!: string;
}

/** An emergency access that was granted just now. */
export class BreakGlassGrantedDto {
  /** Id of the emergency access. */
  @IsString()
  break_glass_id!: string;

  /** The user whose data it opens. */
  @HasFormat('uuid')
  user_id!: string;

  /** When it ends. */
  @HasFormat('date-time')
  expires_at!: string;
}

/** An emergency access and its review. */
export class BreakGlassGrantDto {
  /** Id of the emergency access. */
  @IsString()
  break_glass_id!: string;

  /** The team in which it was granted. */
  @HasFormat('uuid')
  team_id!: string;

  /** Id of the key to which it was granted. */
  @IsString()
  key_id!: string;

  /** Label of that key. */
  @IsString()
  key_label!: string;

  /** Role of that key. */
  @IsString()
  role!: string;

  /** The user whose data it opened. */
  @HasFormat('uuid')
  user_id!: string;

  /** Why it was asked for, by its kind. */
  @IsString()
  reason_code!: string;

  /** Why it was asked for, in words. */
  @IsString()
  text!: string;

  /** When it was granted. */
  @HasFormat('date-time')
  granted_at!: string;

  /** When it ended or ends. */
  @HasFormat('date-time')
  expires_at!: string;

  /** When its review is due. */
  @HasFormat('date-time')
  review_due_at!: string;

  /** Whether it is not reviewed and should have been. */
  @IsBoolean()
  overdue!: boolean;

  /** When it was reviewed; null before. */
  @IsOptional()
  @HasFormat('date-time')
  reviewed_at?: string | null;

  /** Id of the key that reviewed it; null before. */
  @IsOptional()
  @IsString()
  reviewed_by?: string | null;

  /** What the review found; null before. */
  @IsOptional()
  @IsString()
  outcome?: string | null;

  /** Remarks of the review; null where there are none. */
  @IsOptional()
  @IsString()
  note?: string | null;
}

/** Emergency accesses of the team, newest first. */
export class BreakGlassGrantListDto {
  /** The emergency accesses. */
  @IsListOf(() => BreakGlassGrantDto)
  grants!: BreakGlassGrantDto[];
}
