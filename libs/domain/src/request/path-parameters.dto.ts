import { IsString } from 'class-validator';
import { Closed, HasFormat } from '../validation/decorators.ts';

/** Path of the grouped mindfulness timeseries (interface document 4.1). */
@Closed()
export class MindfulnessMinutesParamsDto {
  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;
}

/** Path of an operation that resolves the team's own ID of a user (interface document 4.2). */
@Closed()
export class ResolveUserParamsDto {
  /** ID of the user in the team's own system. */
  @IsString()
  client_user_id!: string;
}

/** Path of a lab order result (interface document 4.3). */
@Closed()
export class LabOrderResultParamsDto {
  /** ID of the order. */
  @HasFormat('uuid')
  order_id!: string;
}

/** Path of a user's latest insurance (interface document 4.4). */
@Closed()
export class LatestInsuranceParamsDto {
  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;
}

/** Path of a user's name, birth date, contact and address. */
@Closed()
export class UserInfoParamsDto {
  /** ID of the user. */
  @HasFormat('uuid')
  user_id!: string;
}
