import { FLOOR_YEARS } from '../audit/retention/months.ts';
import { closest } from './closest.ts';
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

/** All that a deployment can set, checked. Times are in milliseconds, limits of requests a minute. */
export interface ServiceConfig {
  readonly host: string;
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

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const PROFILES = ['interface', 'public-sdk'] as const;
export type Profile = (typeof PROFILES)[number];

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

/** Every setting there is. The README's table is made from this one. */
const settings: { readonly [Name in keyof ServiceConfig]: Setting<ServiceConfig[Name]> } = {
  host: {
    variable: 'CAREGATE_HOST',
    flag: '--host',
    fallback: '127.0.0.1',
    parse: hostName,
    about: 'address to listen on',
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
    parse: wholeNumber(FLOOR_YEARS, 100),
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

const names = Object.keys(settings) as (keyof ServiceConfig)[];

/** Command-line flags as text, by the name of the setting. */
export type Flags = Partial<Record<keyof ServiceConfig, string | undefined>>;

/** A setting that is missing, unknown or wrong. The message is for the person who starts the service. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The configuration from flags, then variables, then defaults. An empty variable counts as not set.
 *
 * @throws ConfigError with one line for each wrong setting and each unknown `CAREGATE_` variable; never with a value
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  flags: Flags = {},
): ServiceConfig {
  const problems = unknownVariables(env);
  const config: Partial<Record<keyof ServiceConfig, unknown>> = {};
  for (const name of names) {
    const { variable, flag, fallback, parse } = settings[name];
    const given = flags[name];
    const source = given === undefined ? variable : (flag ?? variable);
    const fromEnv = env[variable] === '' ? undefined : env[variable];
    const written = given ?? fromEnv ?? fallback;
    if (written === undefined) {
      problems.push(
        `${flag ?? variable} (or ${variable}) is missing: it must be ${parse.expects}.`,
      );
      continue;
    }
    const parsed = parse(written);
    if (parsed.ok) {
      config[name] = parsed.value;
    } else {
      problems.push(`${source} must be ${parse.expects}.`);
    }
  }
  if (Number(config.headersTimeoutMs) > Number(config.requestTimeoutMs)) {
    const { headersTimeoutMs, requestTimeoutMs } = settings;
    problems.push(
      `${headersTimeoutMs.variable} must not be more than ${requestTimeoutMs.variable}: headers are part of a request.`,
    );
  }
  const one = (['upstream', 'upstreamTeam', 'upstreamKeyFile'] as const).map(
    (name) => config[name],
  );
  if (one.includes('') && one.some((given) => typeof given === 'string' && given !== '')) {
    problems.push('--upstream, --upstream-team and --upstream-key-file go together.');
  }
  if (config.databaseUrl === '' && config.databaseReadUrl !== '') {
    problems.push('DATABASE_READ_URL is a replica of DATABASE_URL, which is missing.');
  }
  if (problems.length > 0) {
    throw new ConfigError(problems.join('\n'));
  }
  return config as unknown as ServiceConfig;
}

/**
 * The same setting for the commands that need no other; empty: none.
 *
 * @throws ConfigError
 */
export function readDatabaseUrl(env: Readonly<Record<string, string | undefined>>): string {
  const { variable, parse } = settings.databaseUrl;
  const parsed = parse(env[variable] ?? '');
  if (!parsed.ok) {
    throw new ConfigError(`${variable} must be ${parse.expects}.`);
  }
  return parsed.value;
}

function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = names.map((name) => settings[name].variable);
  return Object.keys(env)
    .filter((variable) => variable.startsWith('CAREGATE_') && !known.includes(variable))
    .sort()
    .map((variable) => {
      const near = closest(variable, known, 3);
      return `There is no setting ${variable}. The closest there are: ${near.join(', ')}.`;
    });
}

/** The settings as a markdown table, for the README. */
export function configurationTable(): string {
  const rows = names.map((name) => {
    const { variable, flag, fallback, parse, about } = settings[name];
    const written =
      fallback === undefined ? 'must be given' : fallback === '' ? 'none' : `\`${fallback}\``;
    return [
      `\`${variable}\``,
      flag === undefined ? '' : `\`${flag}\``,
      written,
      parse.expects,
      about,
    ];
  });
  const header = ['variable', 'flag', 'default', 'must be', 'what it is'];
  const table = [header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  const lines = table.map((row) => line(row.map((cell, i) => cell.padEnd(widths[i] ?? 0))));
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
