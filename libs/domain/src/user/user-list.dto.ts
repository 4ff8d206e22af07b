import { IsInt, Min } from 'class-validator';
import { IsListOf } from '../validation/decorators.ts';
import { ListedUserDto, UserDto } from './user.dto.ts';

/** A page of the team's users (interface document 4.5). */
export class UserListDto {
  static readonly example: UserListDto = {
    users: [UserDto.example],
    total: 1,
    offset: 0,
    limit: 100,
  };

  /** The users on this page, sorted by `created_on`, then `user_id`. */
  @IsListOf(() => ListedUserDto)
  users!: ListedUserDto[];

  /** Total number of users of the team. */
  @IsInt()
  @Min(0)
  total!: number;

  /** Number of users skipped before this page. */
  @IsInt()
  @Min(0)
  offset!: number;

  /** Maximum number of users on the page. */
  @IsInt()
  @Min(0)
  limit!: number;
}
