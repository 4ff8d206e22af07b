import { isLoopback, isSafeDatabase } from './parsers.ts';
import { fileVariable, readSecret } from './secret-files.ts';
import { ConfigError, settingNames, settings, type ServiceConfig } from './service-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type Flags = Partial<Record<keyof ServiceConfig, string | undefined>>;

const UNSAFE_DATABASE =
  'DATABASE_URL names a database on another machine without verified TLS: health data and its password could be read on the way. Add ?sslmode=verify-full (and sslrootcert=FILE for your own authority), or ?sslmode=disable if the network is trusted.';

const NOT_GIVEN = { ok: true, value: '' } as const;

/** Flags before variables before defaults. @throws ConfigError with a line for each problem, never with a value */
export function readConfig(env: Environment, flags: Flags = {}): ServiceConfig {
  const problems = unknownVariables(env);
  const config: Partial<Record<keyof ServiceConfig, unknown>> = {};
  for (const name of settingNames) {
    const { variable, flag, required, fallback = '', parse, secret } = settings[name];
    const isOptional = settings[name].fallback === undefined;
    const given = flags[name];
    const source = given === undefined ? variable : (flag ?? variable);
    const fromEnv =
      secret === true ? readSecret(env, variable) : { value: env[variable] || undefined };
    if ('problem' in fromEnv) {
      problems.push(fromEnv.problem);
      continue;
    }
    const written = given ?? fromEnv.value ?? fallback;
    if (written === '' && required) {
      problems.push(
        `${flag ?? variable} (or ${variable}) is required: it must be ${parse.expects}.`,
      );
      continue;
    }
    const parsed = written === '' && isOptional ? NOT_GIVEN : parse(written);
    if (parsed.ok) {
      config[name] = parsed.value;
    } else {
      problems.push(`${source} must be ${parse.expects}.`);
    }
  }
  const { host, tlsCert, tlsKey } = config;
  if ((tlsCert === '') !== (tlsKey === '')) {
    problems.push('--tls-cert and --tls-key must be given together.');
  }
  const plain = tlsCert === '' && config.plainHttp === 'no';
  if (typeof host === 'string' && !isLoopback(host) && plain) {
    problems.push(
      `${flags.host === undefined ? settings.host.variable : '--host'} is reachable from other machines, and Caregate serves plain HTTP: API keys and health data would be sent unencrypted. Give a certificate with --tls-cert and --tls-key, listen on 127.0.0.1 behind a TLS proxy, or set --plain-http (or CAREGATE_PLAIN_HTTP=yes) if the network is trusted.`,
    );
  }
  const { databaseUrl: url } = config;
  if (typeof url === 'string' && url !== '' && !isSafeDatabase(url)) {
    problems.push(UNSAFE_DATABASE);
  }
  if ((config.oidcIssuer === '') !== (config.oidcClientId === '')) {
    problems.push('CAREGATE_OIDC_ISSUER and CAREGATE_OIDC_CLIENT_ID must be set together.');
  }
  if (config.databaseUrl === '' && config.databaseDurability !== '') {
    problems.push('CAREGATE_DATABASE_DURABILITY requires DATABASE_URL.');
  }
  if (problems.length > 0) {
    throw new ConfigError(problems.join('\n'));
  }
  return config as unknown as ServiceConfig;
}

export interface Database {
  readonly url: string;
  /** Records only while a standby confirms them. */
  readonly replicated: boolean;
}

/** For commands, which read no other settings. @throws ConfigError */
export function readDatabase(env: Environment): Database | undefined {
  const url = readDatabaseUrl(env);
  return url === '' ? undefined : { url, replicated: readReplicated(env) };
}

/** @throws ConfigError */
export function readReplicated(env: Environment): boolean {
  const { variable, parse } = settings.databaseDurability;
  const written = env[variable] ?? '';
  if (written !== '' && !parse(written).ok) {
    throw new ConfigError(`${variable} must be ${parse.expects}.`);
  }
  return written === 'replicated';
}

/** Where `caregate backup` puts its copies, '' if that is not set, and for how long. @throws ConfigError */
export function readBackups(env: Environment): { readonly folder: string; readonly days: number } {
  const { backupFolder: folder, backupDays: days } = settings;
  const parsed = days.parse(env[days.variable] || (days.fallback ?? ''));
  if (!parsed.ok) {
    throw new ConfigError(`${days.variable} must be ${days.parse.expects}.`);
  }
  return { folder: env[folder.variable] ?? '', days: Number(parsed.value) };
}

export function readDatabaseUrl(env: Environment): string {
  const { variable, parse } = settings.databaseUrl;
  const given = readSecret(env, variable);
  if ('problem' in given) {
    throw new ConfigError(given.problem);
  }
  const url = given.value ?? '';
  if (url !== '' && !parse(url).ok) {
    throw new ConfigError(`${variable} must be ${parse.expects}.`);
  }
  if (url !== '' && !isSafeDatabase(url)) {
    throw new ConfigError(UNSAFE_DATABASE);
  }
  return url;
}

function unknownVariables(env: Environment): string[] {
  const known = settingNames.flatMap((name) => {
    const { variable, secret } = settings[name];
    return secret === true ? [variable, fileVariable(variable)] : [variable];
  });
  return Object.keys(env)
    .filter((variable) => variable.startsWith('CAREGATE_') && !known.includes(variable))
    .sort()
    .map((variable) => `Unknown setting ${variable}. Did you mean ${closest(variable, known)}?`);
}

function closest(misspelt: string, words: readonly string[]): string {
  const [first] = words
    .map((word) => ({ word, distance: editDistance(misspelt, word) }))
    .sort((a, b) => a.distance - b.distance);
  return first?.word ?? '';
}

function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const removed = (above[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
