import {
  cidrList,
  hostName,
  createChoiceParser,
  postgresUrl,
  createTextParser,
  issuerUrl,
  webUrl,
  createIntegerParser,
  type Parser,
} from './parsers.ts';

interface Setting {
  readonly variable: string;
  readonly flag?: string;
  readonly required?: true;
  /** Default value as text. Without it, a setting that isn't given is ''. */
  readonly fallback?: string;
  readonly parse: Parser<unknown>;
  readonly about: string;
  /** Whether the setting can also be given in a file; see `readSecret`. */
  readonly secret?: true;
}

export const PROFILES = ['interface', 'public-sdk'] as const;
export type Profile = (typeof PROFILES)[number];

const definitions = {
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
    parse: createChoiceParser(['no', 'yes']),
    about: 'whether to allow unencrypted HTTP on addresses other than loopback',
  },
  tlsCert: {
    variable: 'CAREGATE_TLS_CERT',
    flag: '--tls-cert',
    parse: createTextParser('the path of a file'),
    about: 'PEM file of the certificate with its chain, to serve HTTPS; reloaded when changed',
  },
  tlsKey: {
    variable: 'CAREGATE_TLS_KEY',
    flag: '--tls-key',
    parse: createTextParser('the path of a file'),
    about: 'PEM file with the private key of the certificate',
  },
  port: {
    variable: 'CAREGATE_PORT',
    flag: '--port',
    fallback: '8080',
    parse: createIntegerParser(0, 65_535),
    about: 'port to listen on; 0 for any free port',
  },
  dataDir: {
    variable: 'CAREGATE_DATA',
    flag: '--data',
    required: true,
    parse: createTextParser('the path of a folder'),
    about: 'data folder, created if missing; optional for `demo`',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    secret: true,
    parse: postgresUrl,
    about: "PostgreSQL 15 or later to use instead of the data folder's store",
  },
  databaseDurability: {
    variable: 'CAREGATE_DATABASE_DURABILITY',
    parse: createChoiceParser<'' | 'one-machine' | 'replicated'>(['one-machine', 'replicated']),
    about:
      'whether an answer may leave once its record is on one machine, or only with a standby that has it too; without it, the service warns where there is no standby',
  },
  profile: {
    variable: 'CAREGATE_PROFILE',
    fallback: 'interface',
    parse: createChoiceParser(PROFILES),
    about: 'response format: the interface document, or compatible with the SDKs of the public API',
  },
  rateLimitPerKey: {
    variable: 'CAREGATE_RATE_LIMIT_PER_KEY',
    fallback: '6000',
    parse: createIntegerParser(1, 1_000_000_000),
    about: 'requests a minute of an API key or a staff session, then 429',
  },
  concurrencyPerKey: {
    variable: 'CAREGATE_CONCURRENCY_PER_KEY',
    fallback: '16',
    parse: createIntegerParser(1, 1_000_000),
    about: 'requests in progress at a time of an API key or a staff session, then 429',
  },
  trustedProxies: {
    variable: 'CAREGATE_TRUSTED_PROXIES',
    fallback: '',
    parse: cidrList,
    about: 'proxies whose `x-forwarded-for` header is trusted',
  },
  auditKeyFile: {
    variable: 'CAREGATE_AUDIT_KEY_FILE',
    parse: createTextParser('the path of a file'),
    about:
      'the key that signs the audit log (Ed25519, PEM), outside the data folder; see docs/operations.md',
  },
  checkpointCopy: {
    variable: 'CAREGATE_CHECKPOINT_COPY',
    flag: '--checkpoint-copy',
    parse: createTextParser('the path of a folder'),
    about: 'folder on another disk or share for a copy of each checkpoint of the audit log',
  },
  backupFolder: {
    variable: 'CAREGATE_BACKUP_FOLDER',
    parse: createTextParser('the path of a folder'),
    about: 'folder for the backups of `caregate backup` without a name, best on another disk',
  },
  backupDays: {
    variable: 'CAREGATE_BACKUP_DAYS',
    fallback: '30',
    parse: createIntegerParser(1, 3650),
    about: 'how many days these backups are kept',
  },
  publicUrl: {
    variable: 'CAREGATE_PUBLIC_URL',
    parse: webUrl,
    about:
      'URL at which desks reach the service, for their proofs; by default the address it listens on',
  },
  clinicName: {
    variable: 'CAREGATE_CLINIC_NAME',
    parse: createTextParser('a name'),
    about: 'name of the clinic, shown at its desks',
  },
  oidcIssuer: {
    variable: 'CAREGATE_OIDC_ISSUER',
    parse: issuerUrl,
    about: 'issuer of the identity provider with which staff sign in',
  },
  oidcClientId: {
    variable: 'CAREGATE_OIDC_CLIENT_ID',
    parse: createTextParser('a client id'),
    about: 'client ID of the desks at the provider',
  },
  oidcClientSecret: {
    variable: 'CAREGATE_OIDC_CLIENT_SECRET',
    secret: true,
    parse: createTextParser('the client secret'),
    about:
      'secret of a desktop client that its provider asks for (Google); every desk receives it, so it must open nothing else',
  },
  narrow: {
    variable: 'CAREGATE_NARROW',
    parse: createTextParser('`role.operation=no`, separated by commas'),
    about: 'permissions to remove, such as `front_desk.labOrderResult=no`',
  },
  upstreams: {
    variable: 'CAREGATE_UPSTREAMS',
    parse: createTextParser('the path of a file'),
    about: 'JSON file that maps teams to upstream services; see docs/configuration.md',
  },
} satisfies Readonly<Record<string, Setting>>;

/** The values of all settings. Database URLs contain passwords. */
export type ServiceConfig = {
  readonly [Name in keyof typeof definitions]: Exclude<
    ReturnType<(typeof definitions)[Name]['parse']>,
    undefined
  >;
};

/** All settings. The list in docs/configuration.md is generated from this. */
export const settings: Readonly<Record<keyof ServiceConfig, Setting>> = definitions;

export const settingNames = Object.keys(settings) as (keyof ServiceConfig)[];
