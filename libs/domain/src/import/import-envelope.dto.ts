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

/** A user to import; the team is the user's own. */
@Closed()
export class UserEnvelopeDto {
  /** Type of the record. */
  @Equals('user')
  kind!: 'user';

  /** The user. */
  @IsEntity(() => UserDto)
  user!: UserDto;
}

/** What is known of who a user is, to import. */
@Closed()
export class UserInfoEnvelopeDto {
  /** Type of the record. */
  @Equals('user_info')
  kind!: 'user_info';

  /** The team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** The user. */
  @HasFormat('uuid')
  user_id!: string;

  /** When it was recorded; reads return the latest record. */
  @HasFormat('date-time')
  recorded_at!: string;

  /** The info. */
  @IsEntity(() => UserInfoDto)
  info!: UserInfoDto;
}

/** A lab order to import; team and user are the order's own. */
@Closed()
export class OrderEnvelopeDto {
  /** Type of the record. */
  @Equals('order')
  kind!: 'order';

  /** The order. */
  @IsEntity(() => OrderDto)
  order!: OrderDto;
}

/** A lab order's result to import. */
@Closed()
export class LabResultEnvelopeDto {
  /** Type of the record. */
  @Equals('lab_result')
  kind!: 'lab_result';

  /** The team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** The user whose result it is. */
  @HasFormat('uuid')
  user_id!: string;

  /** The order. */
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

  /** The team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** The user. */
  @HasFormat('uuid')
  user_id!: string;

  /** When it was recorded; reads return the latest record. */
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

  /** The team that the user belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** The user. */
  @HasFormat('uuid')
  user_id!: string;

  /** The source of the points. */
  @IsEntity(() => TimeseriesSourceDto)
  source!: TimeseriesSourceDto;

  /** The points. */
  @IsListOf(() => MindfulnessMinutesPointDto)
  data!: MindfulnessMinutesPointDto[];
}
