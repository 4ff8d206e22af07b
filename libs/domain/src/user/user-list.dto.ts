import { IsInt, Min } from 'class-validator';
import { IsListOf } from '../validation/decorators.ts';
import { ListedUserDto } from './user.dto.ts';

/** A page of the team's users (interface document 4.5). */
export class UserListDto {
  /** The users of this page, by `created_on`, then `user_id`. */
  @IsListOf(() => ListedUserDto)
  users!: ListedUserDto[];

  /** How many users the team has. */
  @IsInt()
  @Min(0)
  total!: number;

  /** How many users come before this page. */
  @IsInt()
  @Min(0)
  offset!: number;

  /** How many users the page holds at most. */
  @IsInt()
  @Min(0)
  limit!: number;
}
