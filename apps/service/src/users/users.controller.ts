import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type {
  ListUsersQuery,
  PeopleSearch,
  ResolveUserParams,
  UserInfoParams,
  NoQuery,
} from '@caregate/domain';
import {
  validateListUsersQuery,
  validatePeopleSearch,
  validateResolveUserParams,
  validateUserInfoParams,
  validateNoQuery,
} from '@caregate/domain/validate';
import { HealthDataSource } from '@caregate/data-store';
import { CurrentCaller, Caller } from '../auth/caller.ts';
import { Operation } from '../auth/operation.decorator.ts';
import { Answer } from '../common/answer.ts';
import { UsersService } from './users.service.ts';

@Controller()
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly data: HealthDataSource,
  ) {}

  @Get('v2/user')
  @Operation('listUsers')
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: validateListUsersQuery }) query: ListUsersQuery,
  ): Promise<Answer> {
    return this.users.list(caller, query);
  }

  @Get('v2/user/resolve/:client_user_id')
  @Operation('resolveUser')
  async resolve(
    @CurrentCaller() caller: Caller,
    @Param({ schema: validateResolveUserParams }) { client_user_id }: ResolveUserParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
  ): Promise<Answer> {
    return Answer.fromStored(
      await this.data.findUserByClientId(caller.teamId, client_user_id, caller),
    );
  }

  @Get('v2/user/:user_id/info/latest')
  @Operation('userInfo')
  getUserInfo(
    @CurrentCaller() caller: Caller,
    @Param({ schema: validateUserInfoParams }) { user_id }: UserInfoParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
  ): Promise<Answer> {
    return this.users.getUserInfo(caller, user_id);
  }

  @Post('desk/people/search')
  @HttpCode(200)
  @Operation('searchPeople')
  search(
    @CurrentCaller() caller: Caller,
    @Body({ schema: validatePeopleSearch }) search: PeopleSearch,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
  ): Promise<Answer> {
    return this.users.search(caller, search);
  }
}
