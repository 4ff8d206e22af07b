import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Closed, HasFormat } from '../validation/decorators.ts';

/** Query of the grouped mindfulness timeseries (interface document 4.1). */
@Closed()
export class MindfulnessMinutesQueryDto {
  /** First moment wanted: a date (then 00:00:00 UTC) or an ISO date-time. */
  @HasFormat('query-date')
  start_date!: string;

  /** Last moment wanted: a date (then 23:59:59 UTC) or an ISO date-time. */
  @IsOptional()
  @HasFormat('query-date')
  end_date?: string | null;

  /** Only this provider's slug; empty for all. */
  @IsOptional()
  @IsString()
  provider?: string | null;

  /**
   * Cursor of the page wanted; none for the first.
   * @deprecated use `next_cursor`
   */
  @IsOptional()
  @IsString()
  cursor?: string | null;

  /** Cursor of the page wanted; none for the first. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}

/** Query of a user's latest insurance. */
@Closed()
export class LatestInsuranceQueryDto {
  /** Whether the primary insurance is meant; true where it is left out. */
  @IsOptional()
  @IsBoolean()
  is_primary?: boolean | null;
}

/** Query of the list of users. */
@Closed()
export class ListUsersQueryDto {
  /** How many users to skip; 0 where it is left out. */
  @IsOptional()
  @IsInt()
  @Min(0)
  offset?: number | null;

  /** How many users at most; 100 where it is left out. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number | null;
}

/** Query of an operation that takes no parameters. */
@Closed()
export class NoQueryDto {}
