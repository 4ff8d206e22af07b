/**
 * Access and audit operations, which desks and auditors need beside the reads. A separate entry point keeps them out
 * of programs that only read.
 */
export { connect as connectService } from '../connect.ts';
export type { Connection as ServiceConnection } from '../call.ts';
export { SERVICE_ROUTES } from '../service-route.ts';
export type { ServiceOperationName, ServiceRoute } from '../service-route.ts';
export { request } from './request.ts';
export type { ServiceRequest } from './request.ts';
export * from './access.ts';
export * from './audit.ts';
