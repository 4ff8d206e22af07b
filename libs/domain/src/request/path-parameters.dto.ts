import { IsString } from 'class-validator';
import { Closed, HasFormat } from '../validation/decorators.ts';

/** Path of the grouped mindfulness timeseries (interface document 4.1). */
@Closed()
export class MindfulnessMinutesParamsDto {
  /** Id of the user. */
  @HasFormat('uuid')
  user_id!: string;
}

/** Path of resolving a user (interface document 4.2). */
@Closed()
export class ResolveUserParamsDto {
  /** Id of the user in the team's own system. */
  @IsString()
  client_user_id!: string;
}

/** Path of a lab order result (interface document 4.3). */
@Closed()
export class LabOrderResultParamsDto {
  /** The order's id. */
  @HasFormat('uuid')
  order_id!: string;
}

/** Path of a user's latest insurance (interface document 4.4). */
@Closed()
export class LatestInsuranceParamsDto {
  /** Id of the user. */
  @HasFormat('uuid')
  user_id!: string;
}

/** Path of what is known of who a user is. */
@Closed()
export class UserInfoParamsDto {
  /** Id of the user. */
  @HasFormat('uuid')
  user_id!: string;
}
