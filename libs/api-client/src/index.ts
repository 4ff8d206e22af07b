/**
 * Typed reads of the health data service.
 *
 * ```ts
 * import { HealthDataClient } from '@caregate/api-client';
 *
 * const client = new HealthDataClient({ baseUrl: 'https://health.example', apiKey });
 * const user = await client.users.resolve('patient-17');
 * const insurance = await client.users.latestInsurance(user.user_id);
 * for await (const order of client.orders.iterate({ userId: user.user_id })) {
 *   // a page is requested when the loop gets there
 * }
 * ```
 *
 * @module
 */
export { HealthDataClient } from './client.ts';
export { connect } from './connect.ts';
export type { HealthDataClientOptions } from './connect.ts';
export type { CallOptions, Connection } from './call.ts';
export type { Authorize, RequestToAuthorize } from './authorize.ts';
export type { AttemptEnd, AttemptHooks, AttemptStart } from './attempt.ts';
export type { ApiResponse, ApiPromise } from './api-promise.ts';
export type { Logger } from './logger.ts';
export type { ResponseValidation } from './read-response.ts';
export type {
  IterateUsersQuery,
  LatestInsuranceQuery,
  ListUsersQuery,
  People,
  Users,
} from './users.ts';
export type { Orders, OrdersPageQuery, OrdersQuery, WaitOptions } from './orders.ts';
export type {
  MindfulnessMinutes,
  MindfulnessMinutesQuery,
  SourcedPoint,
  Timeseries,
} from './timeseries.ts';
export { HealthDataError } from './errors/health-data-error.ts';
export {
  BadRequestError,
  ForbiddenError,
  HealthDataApiError,
  InvalidParameterError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from './errors/api-errors.ts';
export type { ApiErrorParts } from './errors/api-errors.ts';
export {
  AbortError,
  CircuitOpenError,
  InvalidArgumentError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from './errors/call-errors.ts';
export type { ResponseIssue } from './errors/call-errors.ts';
export type { Clock } from './resilience/clock.ts';
export type { CallRetryOptions, RetryOptions, RetryReason } from './resilience/retries.ts';
export { CircuitBreaker } from './resilience/circuit-breaker.ts';
export type {
  CircuitBreakerOptions,
  CircuitCounts,
  CircuitState,
} from './resilience/circuit-breaker.ts';
export { FetchTransport } from './transport/fetch.transport.ts';
export type { FetchFunction } from './transport/fetch.transport.ts';
export { BodyError } from './transport/transport.ts';
export type {
  BodyFault,
  Transport,
  TransportRequest,
  TransportResponse,
} from './transport/transport.ts';
export type { OperationName } from '@caregate/domain/operations';
export type {
  FoundPeople,
  FoundPerson,
  GroupedMindfulnessMinutes,
  Insurance,
  LabOrderResult,
  ListedUser,
  MindfulnessMinutesPoint,
  Order,
  OrderHistory,
  OrderList,
  ProblemFieldError,
  TimeseriesSource,
  User,
  UserInfo,
  UserList,
} from '@caregate/domain';
