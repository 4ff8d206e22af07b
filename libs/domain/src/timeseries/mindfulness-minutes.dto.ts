import { Equals, IsNumber, IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsListOf, IsRecordOfListsOf } from '../validation/decorators.ts';
import { MINDFULNESS_UNIT } from '../validation/known-values.ts';

/** One session of mindfulness. */
export class MindfulnessMinutesPointDto {
  /** When it began, with the offset of the place. */
  @HasFormat('date-time')
  start!: string;

  /** When it ended, with the offset of the place. */
  @HasFormat('date-time')
  end!: string;

  /** Always minutes. */
  @Equals(MINDFULNESS_UNIT)
  unit!: 'min';

  /** How many minutes. */
  @IsNumber()
  value!: number;
}

/** Where a group of points comes from. */
export class TimeseriesSourceDto {
  /** Slug of the provider. */
  @IsString()
  provider!: string;

  /** Kind of device or program, such as `watch`. */
  @IsString()
  type!: string;
}

/** The points of one source. */
export class MindfulnessMinutesGroupDto {
  /** The points, by time. */
  @IsListOf(() => MindfulnessMinutesPointDto)
  data!: MindfulnessMinutesPointDto[];

  /** Where they come from. */
  @IsEntity(() => TimeseriesSourceDto)
  source!: TimeseriesSourceDto;
}

/** A page of mindfulness minutes by provider (interface document 2.2). */
export class GroupedMindfulnessMinutesDto {
  /** From a provider's slug to the groups of its sources. */
  @IsRecordOfListsOf(() => MindfulnessMinutesGroupDto)
  groups!: Record<string, MindfulnessMinutesGroupDto[]>;

  /**
   * Cursor of the next page, null when there is none.
   * @deprecated use `next_cursor`
   */
  @IsOptional()
  @IsString()
  next?: string | null;

  /** Cursor of the next page, null when there is none. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}
