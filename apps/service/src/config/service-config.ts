import { OperatorError } from './operator-error.ts';
/** All that a deployment can set, checked. Times are in milliseconds, limits of requests a minute. */
export interface ServiceConfig {
  readonly host: string;
  /** Whether that may be an address that others than this machine reach: what is served is not encrypted. */
  readonly plainHttp: YesOrNo;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** PostgreSQL instead of the data folder's own store; empty: none. Holds a password. */
  readonly databaseUrl: string;
  /** A replica of it, for reads where staleness is safe; empty: none. Holds a password. */
  readonly databaseReadUrl: string;
  /** Of this instance to each of the two, at most. */
  readonly databaseConnections: number;
  /** Longest read; `query_timeout` and the server's `statement_timeout`. */
  readonly databaseTimeoutMs: number;
  /** How long a start waits for the database. */
  readonly databaseWaitMs: number;
  /** Points on a timeseries page. */
  readonly pageSize: number;
  readonly rateLimitPerKey: number;
  readonly rateLimitPerAddress: number;
  /** Form of the five reads' answers. */
  readonly profile: Profile;
  /** Whose `x-forwarded-for` is believed: addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly connectionTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  /** How long a service that is to stop answers on, but says that it is not ready. */
  readonly drainMs: number;
  readonly maxHeaderBytes: number;
  readonly maxParamLength: number;
  readonly logLevel: LogLevel;
  /** How long audit records are kept at least; six is what the law asks for. */
  readonly auditRetentionYears: number;
  /** Cells of the permission table to narrow; its grammar is the access room's. */
  readonly narrow: string;
  /** File that says which teams' data is read from an upstream, and with which keys; empty: none. */
  readonly upstreams: string;
  /** Address of the one upstream of a small deployment; empty: none. */
  readonly upstream: string;
  /** The team that it is for. */
  readonly upstreamTeam: string;
  /** File with its key. */
  readonly upstreamKeyFile: string;
  /** For one read of an upstream, retries included. */
  readonly upstreamTimeoutMs: number;
}

export const YES_OR_NO = ['no', 'yes'] as const;
type YesOrNo = (typeof YES_OR_NO)[number];

/** 45 CFR 164.316(b)(2)(i): six years from the date of creation. No setting goes below it. */
export const RETENTION_FLOOR_YEARS = 6;

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const PROFILES = ['interface', 'public-sdk'] as const;
export type Profile = (typeof PROFILES)[number];

/** A setting that is missing, unknown or wrong. The message is for the person who starts the service. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';

  constructor(message: string) {
    super(message, 2);
  }
}
