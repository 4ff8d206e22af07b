import type { ReadOperations } from '@caregate/domain/operations';

/** A route of the catalogue. */
export type DocumentedRoute = ReadOperations[keyof ReadOperations]['route'];

/** Such as `GET /v2/user/resolve/{client_user_id}`: errors name an operation by it. */
export function routeOf({ path }: DocumentedRoute): string {
  return `GET ${path}`;
}
