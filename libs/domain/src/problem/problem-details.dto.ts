import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsListOf } from '../validation/decorators.ts';

/** A rejected parameter or field. */
export class ProblemFieldErrorDto {
  /** Name of the parameter, or path of the field. */
  @IsString()
  parameter!: string;

  /** Why the parameter was rejected; never contains its value. */
  @IsString()
  reason!: string;
}

/** A problem document (RFC 9457, `application/problem+json`), which every error response contains. */
export class ProblemDetailsDto {
  /** URI reference that identifies the problem type. It never changes. */
  @IsString()
  type!: string;

  /** Short summary of the problem type. */
  @IsString()
  title!: string;

  /** HTTP status. */
  @IsInt()
  @Min(400)
  @Max(599)
  status!: number;

  /** Explanation of this occurrence of the problem. */
  @IsOptional()
  @IsString()
  detail?: string | null;

  /** URI reference of this occurrence. */
  @IsOptional()
  @IsString()
  instance?: string | null;

  /** The rejected parameters. */
  @IsOptional()
  @IsListOf(() => ProblemFieldErrorDto)
  errors?: ProblemFieldErrorDto[] | null;

  /** Code of the reason why a sign-in was refused. Codes never change. */
  @IsOptional()
  @IsString()
  reason?: string | null;

  /**
   * Status of an order without a result: that of its latest event, such as `received.walk_in_test.ordered`, or only
   * its first part.
   */
  @IsOptional()
  @IsString()
  order_status?: string | null;

  /** Number of tries left to enter the PIN. */
  @IsOptional()
  @IsInt()
  @Min(0)
  tries_left?: number | null;

  /**
   * The rate or concurrency limit that refused the request: `rate_per_key`, `concurrency_per_key` or
   * `rate_per_address`.
   */
  @IsOptional()
  @IsString()
  limit?: string | null;

  /** ID of the request, as in the header `x-request-id`. */
  @IsOptional()
  @IsString()
  request_id?: string | null;
}
