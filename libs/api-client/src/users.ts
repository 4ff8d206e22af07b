import type {
  FoundPeople,
  Insurance,
  ListedUser,
  User,
  UserInfo,
  UserList,
} from '@caregate/domain';
import {
  LATEST_INSURANCE,
  LIST_USERS,
  RESOLVE_USER,
  SEARCH_PEOPLE,
  USER_INFO,
} from '@caregate/domain/operations';
import { formatRoute, type CallOptions, type CallParts, type Connection } from './call.ts';
import { throwIfAborted } from './deadline.ts';
import { checkInteger } from './errors/check-arguments.ts';
import { InvalidResponseError } from './errors/call-errors.ts';
import type { ApiPromise } from './api-promise.ts';
import { createShapeCheck } from './shape.ts';

const findListFault = /* @__PURE__ */ createShapeCheck({
  users: 'array',
  total: 'number',
  offset: 'number',
  limit: 'number',
});
const findUserFault = /* @__PURE__ */ createShapeCheck({ user_id: 'string' });
/** Checks responses that have no required field. */
const findObjectFault = /* @__PURE__ */ createShapeCheck({});

const findPeopleFault = /* @__PURE__ */ createShapeCheck({ people: 'array' });

const LARGEST_PAGE = 500;

export interface ListUsersQuery {
  /** Number of users to skip, 0 or more. */
  readonly offset?: number | undefined;
  /** Users for each page, 1 to 500. */
  readonly limit?: number | undefined;
}

export interface IterateUsersQuery {
  /** Users for each request, 1 to 500; 100 by default. */
  readonly pageSize?: number | undefined;
}

export interface LatestInsuranceQuery {
  /** Whether to return the primary insurance; true by default. False returns the secondary insurance. */
  readonly isPrimary?: boolean | undefined;
}

/** Users of the team. All methods reject only with subclasses of HealthDataError. */
export class Users {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `GET /v2/user/`: one page.
   *
   * @example
   * const { users, total } = await client.users.list({ offset: 0, limit: 100 });
   */
  list(query: ListUsersQuery = {}, options?: CallOptions): ApiPromise<UserList> {
    const buildParts = (): CallParts => {
      checkInteger('offset', query.offset, [0, Number.MAX_SAFE_INTEGER], formatRoute(LIST_USERS));
      checkInteger('limit', query.limit, [1, LARGEST_PAGE], formatRoute(LIST_USERS));
      return { query };
    };
    return this.#connection(LIST_USERS, findListFault, buildParts, options);
  }

  /**
   * Requests pages by offset. Users that are added or removed meanwhile shift others. Throws InvalidResponseError
   * rather than repeat or omit users.
   *
   * @example
   * for await (const user of client.users.iterate({ pageSize: 200 })) console.log(user.client_user_id);
   */
  async *iterate(
    { pageSize = 100 }: IterateUsersQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<ListedUser, void, undefined> {
    const route = formatRoute(LIST_USERS);
    checkInteger('pageSize', pageSize, [1, LARGEST_PAGE], route);
    let offset = 0;
    for (;;) {
      const page = await this.list({ offset, limit: pageSize }, options);
      if (page.offset !== offset) {
        throw new InvalidResponseError(route, 'response has a different offset', 200);
      }
      for (const user of page.users) {
        throwIfAborted(options?.signal, route);
        yield user;
      }
      offset += page.users.length;
      if (offset >= page.total) return;
      if (page.users.length === 0) {
        throw new InvalidResponseError(route, 'response has fewer users than its total', 200);
      }
    }
  }

  /**
   * `GET /v2/user/resolve/{client_user_id}`: returns the user with this ID in the team's own system.
   *
   * @example
   * const { user_id } = await client.users.resolve('patient-17');
   */
  resolve(clientUserId: string, options?: CallOptions): ApiPromise<User> {
    const ids = { client_user_id: clientUserId };
    return this.#connection(RESOLVE_USER, findUserFault, () => ({ ids }), options);
  }

  /**
   * `GET /v2/user/{user_id}/info/latest`: name, birth date, gender, contact and address.
   *
   * @example
   * const { first_name, last_name, dob } = await client.users.info(userId);
   */
  info(userId: string, options?: CallOptions): ApiPromise<UserInfo> {
    return this.#connection(
      USER_INFO,
      findObjectFault,
      () => ({ ids: { user_id: userId } }),
      options,
    );
  }

  /**
   * `GET /v2/user/{user_id}/insurance/latest`
   *
   * @example
   * const primary = await client.users.latestInsurance(userId);
   * const secondary = await client.users.latestInsurance(userId, { isPrimary: false });
   */
  latestInsurance(
    userId: string,
    query: LatestInsuranceQuery = {},
    options?: CallOptions,
  ): ApiPromise<Insurance> {
    const parts = { ids: { user_id: userId }, query };
    return this.#connection(LATEST_INSURANCE, findObjectFault, () => parts, options);
  }
}

/** Search for people, as a front desk needs it. All methods reject only with subclasses of HealthDataError. */
export class People {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `POST /desk/people/search`: finds people by parts of names, birth date, digits of a phone number, or ID. `limit`
   * is 1 to 20; 8 by default.
   *
   * @example
   * const { people } = await client.people.search('okonk ama');
   */
  search(text: string, limit?: number, options?: CallOptions): ApiPromise<FoundPeople> {
    const body = limit === undefined ? { text } : { text, limit };
    return this.#connection(SEARCH_PEOPLE, findPeopleFault, () => ({ body }), options);
  }
}
