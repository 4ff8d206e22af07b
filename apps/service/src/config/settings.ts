import {
  cidrList,
  hostName,
  oneOf,
  orNothing,
  postgresUrl,
  text,
  uuid,
  wholeNumber,
  type Parser,
} from './parsers.ts';
import {
  LOG_LEVELS,
  PROFILES,
  RETENTION_FLOOR_YEARS,
  YES_OR_NO,
  type ServiceConfig,
} from './service-config.ts';

/** A setting: where it is read from, what it is where nothing is said, and what it is for. */
interface Setting<T> {
  readonly variable: string;
  readonly flag?: string;
  /** Text, as a person would write it; none where the setting must be given. */
  readonly fallback?: string;
  readonly parse: Parser<T>;
  readonly about: string;
}

const day = 86_400_000;

/** Every setting there is. The table of docs/configuration.md is made from this one. */
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
    about: 'whether other machines may be served over plain HTTP; else only loopback starts',
  },
  port: {
    variable: 'CAREGATE_PORT',
    flag: '--port',
    fallback: '8080',
    parse: wholeNumber(0, 65_535),
    about: 'port to listen on; 0 takes any that is free',
  },
  dataDir: {
    variable: 'CAREGATE_DATA',
    flag: '--data',
    parse: text('the path of a folder'),
    about: 'data folder, made where it is missing; `demo` alone does without',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    fallback: '',
    parse: orNothing(postgresUrl),
    about: "PostgreSQL 15 or later to use instead of the data folder's store",
  },
  databaseReadUrl: {
    variable: 'DATABASE_READ_URL',
    fallback: '',
    parse: orNothing(postgresUrl),
    about: 'its replica, read only where an answer may be some moments old',
  },
  databaseConnections: {
    variable: 'CAREGATE_DATABASE_CONNECTIONS',
    fallback: '10',
    parse: wholeNumber(1, 1000),
    about: 'connections of this instance to each of the two for reads, at most',
  },
  databaseTimeoutMs: {
    variable: 'CAREGATE_DATABASE_TIMEOUT_MS',
    fallback: '10000',
    parse: wholeNumber(100, day),
    about: 'how long one statement may take, and a wait for a connection, then 503',
  },
  databaseWaitMs: {
    variable: 'CAREGATE_DATABASE_WAIT_MS',
    fallback: '60000',
    parse: wholeNumber(0, day),
    about: 'how long a start waits for the database to answer',
  },
  pageSize: {
    variable: 'CAREGATE_PAGE_SIZE',
    fallback: '1000',
    parse: wholeNumber(1, 10_000),
    about: 'points on a page of a timeseries',
  },
  profile: {
    variable: 'CAREGATE_PROFILE',
    fallback: 'interface',
    parse: oneOf(PROFILES),
    about: "answers by the interface document, or with what the public API's SDKs require besides",
  },
  rateLimitPerKey: {
    variable: 'CAREGATE_RATE_LIMIT_PER_KEY',
    fallback: '6000',
    parse: wholeNumber(1, 1_000_000_000),
    about: 'requests a minute with one key, then 429',
  },
  rateLimitPerAddress: {
    variable: 'CAREGATE_RATE_LIMIT_PER_ADDRESS',
    fallback: '12000',
    parse: wholeNumber(1, 1_000_000_000),
    about: 'requests a minute from one address, then 429',
  },
  trustedProxies: {
    variable: 'CAREGATE_TRUSTED_PROXIES',
    fallback: '',
    parse: cidrList,
    about: 'proxies whose `x-forwarded-for` is believed; none by default',
  },
  requestTimeoutMs: {
    variable: 'CAREGATE_REQUEST_TIMEOUT_MS',
    fallback: '30000',
    parse: wholeNumber(100, day),
    about: 'how long a client may take to send a whole request',
  },
  headersTimeoutMs: {
    variable: 'CAREGATE_HEADERS_TIMEOUT_MS',
    fallback: '10000',
    parse: wholeNumber(100, day),
    about: 'how long a client may take to send the headers',
  },
  keepAliveTimeoutMs: {
    variable: 'CAREGATE_KEEP_ALIVE_TIMEOUT_MS',
    fallback: '65000',
    parse: wholeNumber(100, day),
    about: 'how long an idle connection stays open',
  },
  connectionTimeoutMs: {
    variable: 'CAREGATE_CONNECTION_TIMEOUT_MS',
    fallback: '120000',
    parse: wholeNumber(100, day),
    about: 'how long a connection may be silent in the middle of a request or answer',
  },
  shutdownTimeoutMs: {
    variable: 'CAREGATE_SHUTDOWN_TIMEOUT_MS',
    fallback: '1500',
    parse: wholeNumber(0, 600_000),
    about: 'how long requests in progress may go on after SIGTERM or Ctrl-C',
  },
  drainMs: {
    variable: 'CAREGATE_DRAIN_MS',
    fallback: '0',
    parse: wholeNumber(0, 600_000),
    about: 'how long before that `/readyz` says 503 while all is answered, for a load balancer',
  },
  maxHeaderBytes: {
    variable: 'CAREGATE_MAX_HEADER_BYTES',
    fallback: '16384',
    parse: wholeNumber(4096, 65_536),
    about: 'all headers of a request together, in bytes, then 431',
  },
  maxParamLength: {
    variable: 'CAREGATE_MAX_PARAM_LENGTH',
    fallback: '1024',
    parse: wholeNumber(200, 8192),
    about: 'longest segment of a path, such as a client_user_id, in characters',
  },
  logLevel: {
    variable: 'CAREGATE_LOG_LEVEL',
    fallback: 'info',
    parse: oneOf(LOG_LEVELS),
    about: 'what is logged, as JSON lines on standard output',
  },
  auditRetentionYears: {
    variable: 'CAREGATE_AUDIT_RETENTION_YEARS',
    fallback: '7',
    parse: wholeNumber(RETENTION_FLOOR_YEARS, 100),
    about: 'years before two people may cut a month off the audit log',
  },
  narrow: {
    variable: 'CAREGATE_NARROW',
    fallback: '',
    parse: Object.assign((value: string) => ({ ok: true, value }) as const, {
      expects: '`role.operation=no`, separated by commas',
    }),
    about: 'permissions taken away, such as `front_desk.labOrderResult=no`',
  },
  upstreams: {
    variable: 'CAREGATE_UPSTREAMS',
    fallback: '',
    parse: orNothing(text('the path of a file')),
    about: "JSON file: whose data is read from which upstream (see the service's README)",
  },
  upstream: {
    variable: 'CAREGATE_UPSTREAM',
    flag: '--upstream',
    fallback: '',
    parse: orNothing(text('an https:// address')),
    about: 'instead of that file, for one team: the address of its upstream',
  },
  upstreamTeam: {
    variable: 'CAREGATE_UPSTREAM_TEAM',
    flag: '--upstream-team',
    fallback: '',
    parse: orNothing(uuid),
    about: 'the team whose data is there',
  },
  upstreamKeyFile: {
    variable: 'CAREGATE_UPSTREAM_KEY_FILE',
    flag: '--upstream-key-file',
    fallback: '',
    parse: orNothing(text('the path of a file')),
    about: 'file with the key for it, readable by its owner alone',
  },
  upstreamTimeoutMs: {
    variable: 'CAREGATE_UPSTREAM_TIMEOUT_MS',
    fallback: '10000',
    parse: wholeNumber(100, day),
    about: 'how long one read of an upstream may take, then 504',
  },
};

/** In the order of the table. */
export const settingNames = Object.keys(settings) as (keyof ServiceConfig)[];
