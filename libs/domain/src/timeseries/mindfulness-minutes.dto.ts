import { Equals, IsNumber, IsOptional, IsString } from 'class-validator';
import { HasFormat, IsEntity, IsListOf, IsRecordOfListsOf } from '../validation/decorators.ts';
import { MINDFULNESS_UNIT } from '../validation/known-values.ts';

/** One session of mindfulness. */
export class MindfulnessMinutesPointDto {
  /** Start of the session, with the local UTC offset. */
  @HasFormat('date-time')
  start!: string;

  /** End of the session, with the local UTC offset. */
  @HasFormat('date-time')
  end!: string;

  /** Unit of `value`, always minutes. */
  @Equals(MINDFULNESS_UNIT)
  unit!: 'min';

  /** Duration in minutes. */
  @IsNumber()
  value!: number;
}

/** Device or app that a group of points comes from. */
export class TimeseriesSourceDto {
  /** Slug of the provider. */
  @IsString()
  provider!: string;

  /** Type of device or app, such as `watch`. */
  @IsString()
  type!: string;
}

/** The points of one source. */
export class MindfulnessMinutesGroupDto {
  /** The mindfulness sessions, sorted by time. */
  @IsListOf(() => MindfulnessMinutesPointDto)
  data!: MindfulnessMinutesPointDto[];

  /** The device or app that recorded them. */
  @IsEntity(() => TimeseriesSourceDto)
  source!: TimeseriesSourceDto;
}

/** A page of mindfulness minutes by provider (interface document 2.2). */
export class GroupedMindfulnessMinutesDto {
  static readonly example: GroupedMindfulnessMinutesDto = {
    groups: {
      oura: [
        {
          data: [
            {
              start: '2026-03-02T07:02:00-05:00',
              end: '2026-03-02T07:14:30-05:00',
              unit: 'min',
              value: 12.5,
            },
          ],
          source: { provider: 'oura', type: 'ring' },
        },
      ],
    },
    next_cursor: null,
  };

  /** Groups of mindfulness sessions by the slug of the provider. */
  @IsRecordOfListsOf(() => MindfulnessMinutesGroupDto)
  groups!: Record<string, MindfulnessMinutesGroupDto[]>;

  /**
   * Cursor of the next page, or null on the last page.
   * @deprecated use `next_cursor`
   */
  @IsOptional()
  @IsString()
  next?: string | null;

  /** Cursor of the next page, or null on the last page. */
  @IsOptional()
  @IsString()
  next_cursor?: string | null;
}
