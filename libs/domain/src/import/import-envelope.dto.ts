import { Equals, IsBoolean, IsOptional } from 'class-validator';
import { InsuranceDto } from '../insurance/insurance.dto.ts';
import { LabOrderResultDto } from '../lab-result/lab-order-result.dto.ts';
import {
  MindfulnessMinutesPointDto,
  TimeseriesSourceDto,
} from '../timeseries/mindfulness-minutes.dto.ts';
import { OrderDto } from '../order/order.dto.ts';
import { UserInfoDto } from '../user/user-info.dto.ts';
import { UserDto } from '../user/user.dto.ts';
import { Closed, HasFormat, IsEntity, IsListOf } from '../validation/decorators.ts';

/** A user to import. The team is the user's `team_id`. */
@Closed()
export class UserEnvelopeDto {
  /** Type of the record. */
  @Equals('user')
  kind!: 'user';

  /** The user. */
  @IsEntity(() => UserDto)
  user!: UserDto;
}

/** A user's name, birth date, contact and address to import. */
@Closed()
export class UserInfoEnvelopeDto {
  /** Type of the record. */
  @Equals('user_info')
  kind!: 'user_info';

  /** ID of the team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** When the info was recorded. Reads return the record with the latest time. */
  @HasFormat('date-time')
  recorded_at!: string;

  /** The user's name, birth date, contact and address. */
  @IsEntity(() => UserInfoDto)
  info!: UserInfoDto;
}

/** A lab order to import. Team and user are the order's `team_id` and `user_id`. */
@Closed()
export class OrderEnvelopeDto {
  /** Type of the record. */
  @Equals('order')
  kind!: 'order';

  /** The order. */
  @IsEntity(() => OrderDto)
  order!: OrderDto;
}

/** The result of a lab order to import. */
@Closed()
export class LabResultEnvelopeDto {
  /** Type of the record. */
  @Equals('lab_result')
  kind!: 'lab_result';

  /** ID of the team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the user (patient) of the order. */
  @HasFormat('uuid')
  user_id!: string;

  /** ID of the order. */
  @HasFormat('uuid')
  order_id!: string;

  /** The result. */
  @IsEntity(() => LabOrderResultDto)
  result!: LabOrderResultDto;
}

/** A user's insurance to import. */
@Closed()
export class InsuranceEnvelopeDto {
  /** Type of the record. */
  @Equals('insurance')
  kind!: 'insurance';

  /** ID of the team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** When the insurance was recorded. Reads return the record with the latest time. */
  @HasFormat('date-time')
  recorded_at!: string;

  /** Whether this is the primary insurance; default true. */
  @IsOptional()
  @IsBoolean()
  is_primary?: boolean | null;

  /** The insurance. */
  @IsEntity(() => InsuranceDto)
  insurance!: InsuranceDto;
}

/** Mindfulness minutes of one source to import. */
@Closed()
export class MindfulnessMinutesEnvelopeDto {
  /** Type of the record. */
  @Equals('mindfulness_minutes')
  kind!: 'mindfulness_minutes';

  /** ID of the team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;

  /** The device or app that recorded the points. */
  @IsEntity(() => TimeseriesSourceDto)
  source!: TimeseriesSourceDto;

  /** The mindfulness sessions. */
  @IsListOf(() => MindfulnessMinutesPointDto)
  data!: MindfulnessMinutesPointDto[];
}
