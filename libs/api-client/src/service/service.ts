/** Access and audit: what desks and auditors need besides the reads. An entry of its own, so that programs which only read have none of it. */
export { connect as connectService } from '../connect.ts';
export type { Connection as ServiceConnection } from '../call.ts';
export { SERVICE_ROUTES } from '../service-route.ts';
export type { ServiceOperationName, ServiceRoute } from '../service-route.ts';
export { request } from './request.ts';
export type { ServiceRequest } from './request.ts';
export * from './access.ts';
export * from './audit.ts';
