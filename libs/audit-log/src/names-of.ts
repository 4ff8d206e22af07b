import { hostname } from 'node:os';

export interface Names {
  /** First part of the name of a new log, `<host>/audit/<log id>`. Default: the name of this machine. */
  readonly host?: string | undefined;
  /** The instance that wrote a record; default: the host. */
  readonly serverId?: string | undefined;
}

export function namesOf({ host = hostname(), serverId = host }: Names): {
  readonly host: string;
  readonly serverId: string;
} {
  return { host, serverId };
}
