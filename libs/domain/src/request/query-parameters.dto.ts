import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { Closed, HasFormat, ToBoolean, ToInteger } from '../validation/decorators.ts';

/** Query of the grouped mindfulness timeseries (interface document 4.1). */
@Closed()
export class MindfulnessMinutesQueryDto {
  /** Start of the period, inclusive: a date (00:00:00 UTC) or an ISO 8601 date-time. */
  @HasFormat('query-date')
  start_date!: string;

  /** End of the period, inclusive: a date (23:59:59 UTC) or an ISO 8601 date-time. */
  @IsOptional()
  @HasFormat('query-date')
  end_date?: string | null;

  /** Slug of the provider; all providers if empty or missing. */
  @IsOptional()
  @IsString()
  provider?: string | null;

  /**
   * Cursor of the page; omit for the first page.
   * @deprecated use `next_cursor`
   */
  @IsOptional()
  @IsString()
  cursor?: string | null;

  /** Cursor of the page; omit for the first page. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}

/** Query of a user's latest insurance. */
@Closed()
export class LatestInsuranceQueryDto {
  /** Whether to return the primary insurance; default true. */
  @IsOptional()
  @ToBoolean()
  @IsBoolean()
  is_primary?: boolean | null;
}

/** Query of the list of users. */
@Closed()
export class ListUsersQueryDto {
  /** Number of users to skip; default 0. */
  @IsOptional()
  @ToInteger()
  @IsInt()
  @Min(0)
  offset?: number | null;

  /** Maximum number of users to return; default 100. */
  @IsOptional()
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number | null;
}

/** Query of an operation that takes no parameters. */
@Closed()
export class NoQueryDto {}
