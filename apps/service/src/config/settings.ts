import {
  cidrList,
  hostName,
  oneOf,
  optional,
  postgresUrl,
  text,
  timeZone,
  uuid,
  webUrl,
  wholeNumber,
  type Parser,
} from './parsers.ts';
import { LOG_LEVELS, PROFILES, YES_OR_NO, type ServiceConfig } from './service-config.ts';

/** A setting: its variable and flag, default, parser and description. */
interface Setting<T> {
  readonly variable: string;
  readonly flag?: string;
  /** Default as text; undefined if the setting is required. */
  readonly fallback?: string;
  readonly parse: Parser<T>;
  readonly about: string;
  /** Can be given in a file too; see `secretOf`. */
  readonly secret?: true;
}

const day = 86_400_000;

/** All settings. The table of docs/configuration.md is generated from this. */
export const settings: { readonly [Name in keyof ServiceConfig]: Setting<ServiceConfig[Name]> } = {
  host: {
    variable: 'CAREGATE_HOST',
    flag: '--host',
    fallback: '127.0.0.1',
    parse: hostName,
    about: 'address to listen on',
  },
  plainHttp: {
    variable: 'CAREGATE_PLAIN_HTTP',
    flag: '--plain-http',
    fallback: 'no',
    parse: oneOf(YES_OR_NO),
    about: 'whether to allow unencrypted HTTP on addresses other than loopback',
  },
  tlsCert: {
    variable: 'CAREGATE_TLS_CERT',
    flag: '--tls-cert',
    fallback: '',
    parse: optional(text('the path of a file')),
    about: 'PEM file of the certificate with its chain, to serve HTTPS; reloaded when changed',
  },
  tlsKey: {
    variable: 'CAREGATE_TLS_KEY',
    flag: '--tls-key',
    fallback: '',
    parse: optional(text('the path of a file')),
    about: 'PEM file with the private key of the certificate',
  },
  port: {
    variable: 'CAREGATE_PORT',
    flag: '--port',
    fallback: '8080',
    parse: wholeNumber(0, 65_535),
    about: 'port to listen on; 0 for any free port',
  },
  dataDir: {
    variable: 'CAREGATE_DATA',
    flag: '--data',
    parse: text('the path of a folder'),
    about: 'data folder, created if missing; optional for `demo`',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    secret: true,
    fallback: '',
    parse: optional(postgresUrl),
    about: "PostgreSQL 15 or later to use instead of the data folder's store",
  },
  databaseReadUrl: {
    variable: 'DATABASE_READ_URL',
    secret: true,
    fallback: '',
    parse: optional(postgresUrl),
    about: 'read replica, used only where slightly stale data is acceptable',
  },
  plainDatabase: {
    variable: 'CAREGATE_PLAIN_DATABASE',
    fallback: 'no',
    parse: oneOf(YES_OR_NO),
    about: 'whether a database on another machine may be used without verified TLS',
  },
  databaseConnections: {
    variable: 'CAREGATE_DATABASE_CONNECTIONS',
    fallback: '10',
    parse: wholeNumber(1, 1000),
    about: 'maximum connections for reads, to the primary and to the replica each',
  },
  databaseTimeoutMs: {
    variable: 'CAREGATE_DATABASE_TIMEOUT_MS',
    fallback: '10000',
    parse: wholeNumber(100, day),
    about: 'timeout of a statement and of waiting for a connection, then 503',
  },
  databaseWaitMs: {
    variable: 'CAREGATE_DATABASE_WAIT_MS',
    fallback: '60000',
    parse: wholeNumber(0, day),
    about: 'how long to wait for the database at startup',
  },
  pageSize: {
    variable: 'CAREGATE_PAGE_SIZE',
    fallback: '1000',
    parse: wholeNumber(1, 10_000),
    about: 'points per page of a timeseries',
  },
  profile: {
    variable: 'CAREGATE_PROFILE',
    fallback: 'interface',
    parse: oneOf(PROFILES),
    about: 'response format: the interface document, or compatible with the SDKs of the public API',
  },
  rateLimitPerKey: {
    variable: 'CAREGATE_RATE_LIMIT_PER_KEY',
    fallback: '6000',
    parse: wholeNumber(1, 1_000_000_000),
    about: 'requests per minute and key, then 429',
  },
  rateLimitPerAddress: {
    variable: 'CAREGATE_RATE_LIMIT_PER_ADDRESS',
    fallback: '12000',
    parse: wholeNumber(1, 1_000_000_000),
    about: 'requests per minute and client address, then 429',
  },
  peopleAlarm: {
    variable: 'CAREGATE_PEOPLE_ALARM',
    fallback: '600',
    parse: wholeNumber(1, 1_000_000),
    about:
      'different people an hour in searches and lists of orders of one person, above which an alarm is raised',
  },
  trustedProxies: {
    variable: 'CAREGATE_TRUSTED_PROXIES',
    fallback: '',
    parse: cidrList,
    about: 'proxies whose `x-forwarded-for` header is trusted',
  },
  requestTimeoutMs: {
    variable: 'CAREGATE_REQUEST_TIMEOUT_MS',
    fallback: '30000',
    parse: wholeNumber(100, day),
    about: 'timeout for receiving a complete request',
  },
  headersTimeoutMs: {
    variable: 'CAREGATE_HEADERS_TIMEOUT_MS',
    fallback: '10000',
    parse: wholeNumber(100, day),
    about: 'timeout for receiving the headers of a request',
  },
  keepAliveTimeoutMs: {
    variable: 'CAREGATE_KEEP_ALIVE_TIMEOUT_MS',
    fallback: '65000',
    parse: wholeNumber(100, day),
    about: 'how long an idle connection is kept open',
  },
  connectionTimeoutMs: {
    variable: 'CAREGATE_CONNECTION_TIMEOUT_MS',
    fallback: '120000',
    parse: wholeNumber(100, day),
    about: 'how long a connection may be inactive during a request or response',
  },
  shutdownTimeoutMs: {
    variable: 'CAREGATE_SHUTDOWN_TIMEOUT_MS',
    fallback: '1500',
    parse: wholeNumber(0, 600_000),
    about: 'how long to wait for requests in progress after SIGTERM or Ctrl-C',
  },
  drainMs: {
    variable: 'CAREGATE_DRAIN_MS',
    fallback: '0',
    parse: wholeNumber(0, 600_000),
    about: 'how long `/readyz` answers 503 before the shutdown, for load balancers',
  },
  maxHeaderBytes: {
    variable: 'CAREGATE_MAX_HEADER_BYTES',
    fallback: '16384',
    parse: wholeNumber(4096, 65_536),
    about: 'maximum size of all request headers, in bytes, then 431',
  },
  maxParamLength: {
    variable: 'CAREGATE_MAX_PARAM_LENGTH',
    fallback: '1024',
    parse: wholeNumber(200, 8192),
    about: 'maximum length of a path segment such as a client_user_id, in characters',
  },
  logLevel: {
    variable: 'CAREGATE_LOG_LEVEL',
    fallback: 'info',
    parse: oneOf(LOG_LEVELS),
    about: 'log level; logs are JSON lines on standard output',
  },
  breakGlassAlarm: {
    variable: 'CAREGATE_BREAK_GLASS_ALARM',
    fallback: '5',
    parse: wholeNumber(1, 1_000_000),
    about: 'emergency access grants of one person in 24 hours above which an alarm is raised',
  },
  auditTeamAlarm: {
    variable: 'CAREGATE_AUDIT_TEAM_ALARM',
    fallback: '100000',
    parse: wholeNumber(1, 1_000_000_000),
    about: 'audit records of one team in an hour above which an alarm is raised',
  },
  witnesses: {
    variable: 'CAREGATE_WITNESSES',
    fallback: '',
    parse: optional(text('the path of a file')),
    about: 'policy file with the witnesses that cosign the audit log (docs/audit-log.md)',
  },
  checkpointCopy: {
    variable: 'CAREGATE_CHECKPOINT_COPY',
    flag: '--checkpoint-copy',
    fallback: '',
    parse: optional(text('the path of a folder')),
    about: 'folder on another disk or share for a copy of each checkpoint of the audit log',
  },
  publicUrl: {
    variable: 'CAREGATE_PUBLIC_URL',
    fallback: '',
    parse: optional(webUrl),
    about:
      'URL at which desks reach the service, for their proofs; by default the address it listens on',
  },
  clinicName: {
    variable: 'CAREGATE_CLINIC_NAME',
    fallback: '',
    parse: optional(text('a name')),
    about: 'name of the clinic, shown at its desks',
  },
  clinicTimeZone: {
    variable: 'CAREGATE_CLINIC_TIME_ZONE',
    fallback: '',
    parse: optional(timeZone),
    about: 'time zone of the clinic, in which its desks show times',
  },
  oidcIssuer: {
    variable: 'CAREGATE_OIDC_ISSUER',
    fallback: '',
    parse: optional(webUrl),
    about: 'issuer of the identity provider with which staff sign in',
  },
  oidcClientId: {
    variable: 'CAREGATE_OIDC_CLIENT_ID',
    fallback: '',
    parse: optional(text('a client id')),
    about: 'client id of the desks at the provider',
  },
  oidcClientSecret: {
    variable: 'CAREGATE_OIDC_CLIENT_SECRET',
    secret: true,
    fallback: '',
    parse: optional(text('the client secret')),
    about:
      'secret of a desktop client that its provider asks for (Google); every desk is told it, so it must open nothing else',
  },
  oidcAudience: {
    variable: 'CAREGATE_OIDC_AUDIENCE',
    fallback: '',
    parse: optional(text('an audience')),
    about: 'audience of its ID tokens, if it is not the client id',
  },
  oidcCa: {
    variable: 'CAREGATE_OIDC_CA',
    fallback: '',
    parse: optional(text('the path of a file')),
    about:
      "PEM file of the clinic's own certificate authority, if the provider has a certificate of it",
  },
  oidcScopes: {
    variable: 'CAREGATE_OIDC_SCOPES',
    fallback: 'openid',
    parse: text('scopes, separated by spaces'),
    about: 'scopes that desks request; `openid email` to find staff by their addresses',
  },
  oidcAcr: {
    variable: 'CAREGATE_OIDC_ACR',
    fallback: '',
    parse: optional(text('`acr` values, separated by spaces')),
    about: 'what the provider must say of a sign-in for emergency access, any of these',
  },
  oidcGroups: {
    variable: 'CAREGATE_OIDC_GROUPS',
    fallback: '',
    parse: optional(text('`claim: group=role, group=role`')),
    about: 'roles by groups of the provider, such as `groups: Physicians=clinician`',
  },
  pinDigits: {
    variable: 'CAREGATE_PIN_DIGITS',
    fallback: '6',
    parse: wholeNumber(6, 12),
    about: 'fewest digits of a PIN; at most 12',
  },
  narrow: {
    variable: 'CAREGATE_NARROW',
    fallback: '',
    parse: Object.assign((value: string) => ({ ok: true, value }) as const, {
      expects: '`role.operation=no`, separated by commas',
    }),
    about: 'permissions to remove, such as `front_desk.labOrderResult=no`',
  },
  upstreams: {
    variable: 'CAREGATE_UPSTREAMS',
    fallback: '',
    parse: optional(text('the path of a file')),
    about: "JSON file that maps teams to upstream services (see the service's README)",
  },
  upstream: {
    variable: 'CAREGATE_UPSTREAM',
    flag: '--upstream',
    fallback: '',
    parse: optional(text('an https:// URL')),
    about: 'URL of the upstream of a single team, instead of that file',
  },
  upstreamTeam: {
    variable: 'CAREGATE_UPSTREAM_TEAM',
    flag: '--upstream-team',
    fallback: '',
    parse: optional(uuid),
    about: 'team to read from the upstream',
  },
  upstreamKeyFile: {
    variable: 'CAREGATE_UPSTREAM_KEY_FILE',
    flag: '--upstream-key-file',
    fallback: '',
    parse: optional(text('the path of a file')),
    about: 'file with the API key for the upstream, readable only by its owner',
  },
  upstreamTimeoutMs: {
    variable: 'CAREGATE_UPSTREAM_TIMEOUT_MS',
    fallback: '10000',
    parse: wholeNumber(100, day),
    about: 'timeout for reading from an upstream, then 504',
  },
};

/** In the order of the table. */
export const settingNames = Object.keys(settings) as (keyof ServiceConfig)[];
