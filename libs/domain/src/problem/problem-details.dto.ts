import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { IsListOf } from '../validation/decorators.ts';

/** One parameter that was refused, and why. */
export class ProblemFieldErrorDto {
  /** Name of the parameter, or path of the field. */
  @IsString()
  parameter!: string;

  /** What it must be, in words; the refused value is never repeated. */
  @IsString()
  reason!: string;
}

/** Every error of the service: a problem document (RFC 9457, `application/problem+json`). */
export class ProblemDetailsDto {
  /** Stable name of the kind of problem, a URI reference. */
  @IsString()
  type!: string;

  /** What the kind of problem is, in words. */
  @IsString()
  title!: string;

  /** HTTP status. */
  @IsInt()
  @Min(400)
  @Max(599)
  status!: number;

  /** What is wrong this time, and what to do about it. */
  @IsOptional()
  @IsString()
  detail?: string | null;

  /** URI reference of this occurrence. */
  @IsOptional()
  @IsString()
  instance?: string | null;

  /** The parameters that were refused. */
  @IsOptional()
  @IsListOf(() => ProblemFieldErrorDto)
  errors?: ProblemFieldErrorDto[] | null;

  /** The request's id, as in the header `x-request-id`. */
  @IsOptional()
  @IsString()
  request_id?: string | null;
}
