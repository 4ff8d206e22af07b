export { HealthDataClient } from './client.ts';
export type { HealthDataClientOptions } from './client.ts';
export type { CallOptions } from './call.ts';
export type { IterateUsersQuery, LatestInsuranceQuery, ListUsersQuery, Users } from './users.ts';
export type { Orders } from './orders.ts';
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
  InvalidArgumentError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
} from './errors/call-errors.ts';
export { FetchTransport } from './transport/fetch.transport.ts';
export type { FetchFunction } from './transport/fetch.transport.ts';
export { BodyError } from './transport/transport.ts';
export type {
  BodyFault,
  Transport,
  TransportRequest,
  TransportResponse,
} from './transport/transport.ts';
