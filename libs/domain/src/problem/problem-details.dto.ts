import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsListOf } from '../validation/decorators.ts';

/** A rejected parameter with the reason. */
export class ProblemFieldErrorDto {
  /** Name of the parameter, or path of the field. */
  @IsString()
  parameter!: string;

  /** Why the parameter was rejected; never contains its value. */
  @IsString()
  reason!: string;
}

/** Every error of the service: a problem document (RFC 9457, `application/problem+json`). */
export class ProblemDetailsDto {
  /** URI reference that identifies the problem type; stable. */
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

  /** Why a sign-in was refused; stable. */
  @IsOptional()
  @IsString()
  reason?: string | null;

  /** Where an order without a result is: the status of its newest step, such as `received.walk_in_test.ordered`, or its first part alone. */
  @IsOptional()
  @IsString()
  order_status?: string | null;

  /** How many tries are left for the PIN. */
  @IsOptional()
  @IsInt()
  @Min(0)
  tries_left?: number | null;

  /** The limit that refused the request: `rate_per_key`, `concurrency_per_key` or `rate_per_address`. */
  @IsOptional()
  @IsString()
  limit?: string | null;

  /** The request's id, as in the header `x-request-id`. */
  @IsOptional()
  @IsString()
  request_id?: string | null;
}
