import { OperatorError } from './operator-error.ts';
/** The validated settings of a deployment. Times in milliseconds, rate limits per minute. */
export interface ServiceConfig {
  readonly host: string;
  /** Whether `host` may be reachable from other machines, without encryption. */
  readonly plainHttp: YesOrNo;
  /** PEM file of the certificate with its chain, read again when it changes; empty: plain HTTP. */
  readonly tlsCert: string;
  /** PEM file of its private key. */
  readonly tlsKey: string;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** PostgreSQL instead of the store in the data folder; empty: none. Contains a password. */
  readonly databaseUrl: string;
  /** A read replica, for reads that may be stale; empty: none. Contains a password. */
  readonly databaseReadUrl: string;
  /** Whether a database on another machine may be asked without verified TLS. */
  readonly plainDatabase: YesOrNo;
  /** Maximum connections of this instance to each of the two. */
  readonly databaseConnections: number;
  /** Statement timeout, in the client and the server. */
  readonly databaseTimeoutMs: number;
  /** How long to wait for the database at startup. */
  readonly databaseWaitMs: number;
  /** Points on a timeseries page. */
  readonly pageSize: number;
  readonly rateLimitPerKey: number;
  readonly rateLimitPerAddress: number;
  /** Response format of the reads. */
  readonly profile: Profile;
  /** Proxies whose `x-forwarded-for` is trusted: addresses and CIDR ranges. */
  /** Different people an hour whom one person may be shown in lists without an alarm. */
  readonly peopleAlarm: number;
  readonly trustedProxies: readonly string[];
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly connectionTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  /** How long the service keeps running before the shutdown, reporting that it is not ready. */
  readonly drainMs: number;
  readonly maxHeaderBytes: number;
  readonly maxParamLength: number;
  readonly logLevel: LogLevel;
  /** Emergency access grants of one person in 24 hours above which an alarm is raised. */
  readonly breakGlassAlarm: number;
  /** Audit records of one team in an hour above which an alarm is raised. */
  readonly auditTeamAlarm: number;
  /** Policy file that names the witnesses of the audit log; empty: none. */
  readonly witnesses: string;
  /** Folder, on another disk or share, for copies of checkpoints; empty: none. */
  readonly checkpointCopy: string;
  /** The service as its clients reach it; empty: the address it listens on. */
  readonly publicUrl: string;
  /** Name of the clinic; empty: none. */
  readonly clinicName: string;
  /** IANA time zone of the clinic; empty: none. */
  readonly clinicTimeZone: string;
  /** Issuer of the identity provider; empty: staff sign in with keys. */
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  /** Audience of ID tokens; empty: the client id. */
  readonly oidcAudience: string;
  /** PEM file of the provider's certificate authority; empty: the public ones. */
  readonly oidcCa: string;
  readonly oidcScopes: string;
  /** `acr_values` for emergency access; empty: none. */
  readonly oidcAcr: string;
  /** Roles by groups of the provider; parsed by access/sign-in/group-roles.ts. */
  readonly oidcGroups: string;
  /** Fewest digits of a PIN. */
  readonly pinDigits: number;
  /** Permissions to remove; parsed by operations/permission-table.ts. */
  readonly narrow: string;
  /** File that maps teams to upstreams and their keys; empty: none. */
  readonly upstreams: string;
  /** URL of the upstream of a single team; empty: none. */
  readonly upstream: string;
  /** The team of this upstream. */
  readonly upstreamTeam: string;
  /** File with the key for this upstream. */
  readonly upstreamKeyFile: string;
  /** Timeout of one read of an upstream, including retries. */
  readonly upstreamTimeoutMs: number;
}

export const YES_OR_NO = ['no', 'yes'] as const;
type YesOrNo = (typeof YES_OR_NO)[number];

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const PROFILES = ['interface', 'public-sdk'] as const;
export type Profile = (typeof PROFILES)[number];

/** A missing, unknown or invalid setting. The message is for the user. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError';

  constructor(message: string) {
    super(message, 2);
  }
}
