import { OperatorError } from '@caregate/data-store/errors';
import { isLoopback, isSafeDatabase } from './parsers.ts';
import { toFileVariable, readSecret } from './secret-files.ts';
import { settingNames, settings, type ServiceConfig } from './service-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type Flags = Partial<Record<keyof ServiceConfig, string | undefined>>;

/**
 * Reads all settings. Flags override variables, and variables override defaults. @throws OperatorError with a line
 * for each problem, never with a value
 */
export function readConfig(env: Environment, flags: Flags = {}): ServiceConfig {
  const problems = findUnknownVariables(env);
  const values: Record<string, unknown> = {};
  for (const name of settingNames) {
    try {
      values[name] = readSetting(env, name, flags[name]);
    } catch (error) {
      if (!(error instanceof OperatorError)) {
        throw error;
      }
      problems.push(error.message);
    }
  }
  const config = values as Partial<ServiceConfig>;
  const { host, tlsCert, tlsKey } = config;
  if ((tlsCert === '') !== (tlsKey === '')) {
    problems.push('--tls-cert and --tls-key must be given together.');
  }
  if (host !== undefined && !isLoopback(host) && tlsCert === '' && config.plainHttp === 'no') {
    problems.push(
      `${flags.host === undefined ? settings.host.variable : '--host'} is reachable from other machines, and Caregate serves plain HTTP: API keys and health data would be sent unencrypted. Give a certificate with --tls-cert and --tls-key, listen on 127.0.0.1 behind a TLS proxy, or set --plain-http (or CAREGATE_PLAIN_HTTP=yes) if the network is trusted.`,
    );
  }
  if ((config.oidcIssuer === '') !== (config.oidcClientId === '')) {
    problems.push('CAREGATE_OIDC_ISSUER and CAREGATE_OIDC_CLIENT_ID must be set together.');
  }
  if (config.databaseUrl === '' && config.databaseDurability !== '') {
    problems.push('CAREGATE_DATABASE_DURABILITY requires DATABASE_URL.');
  }
  if (problems.length > 0) {
    throw new OperatorError(problems.join('\n'), 2);
  }
  return config as ServiceConfig;
}

/** Reads one setting. @param flag its value on the command line @throws OperatorError */
export function readSetting<Name extends keyof ServiceConfig>(
  env: Environment,
  name: Name,
  flag?: string,
): ServiceConfig[Name] {
  const { variable, required, fallback, parse, secret, ...setting } = settings[name];
  const configured = flag ?? (secret ? readSecret(env, variable) : env[variable]) ?? '';
  const text = configured === '' ? (fallback ?? '') : configured;
  if (text === '' && required) {
    const flagOrVariable = `${setting.flag ?? variable} (or ${variable})`;
    throw new OperatorError(`${flagOrVariable} is required: it must be ${parse.expects}.`, 2);
  }
  const value = text === '' && fallback === undefined ? '' : parse(text);
  if (value === undefined) {
    const source = flag === undefined ? variable : (setting.flag ?? variable);
    throw new OperatorError(`${source} must be ${parse.expects}.`, 2);
  }
  if (name === 'databaseUrl' && text !== '' && !isSafeDatabase(text)) {
    throw new OperatorError(
      'DATABASE_URL names a database on another machine without verified TLS: health data and its password could be read on the way. Add ?sslmode=verify-full (and sslrootcert=FILE for your own authority), or ?sslmode=disable if the network is trusted.',
      2,
    );
  }
  return value as ServiceConfig[Name];
}

export interface Database {
  readonly url: string;
  /** Whether an action may only take effect after a standby has its audit record. */
  readonly replicated: boolean;
}

/** Returns undefined without DATABASE_URL, when the data is in the data folder. @throws OperatorError */
export function readDatabase(env: Environment): Database | undefined {
  const url = readSetting(env, 'databaseUrl');
  const replicated = readSetting(env, 'databaseDurability') === 'replicated';
  return url === '' ? undefined : { url, replicated };
}

function findUnknownVariables(env: Environment): string[] {
  const ownVariables = settingNames.flatMap((name) => {
    const { variable, secret } = settings[name];
    return secret ? [variable, toFileVariable(variable)] : [variable];
  });
  return Object.keys(env)
    .filter((variable) => variable.startsWith('CAREGATE_') && !ownVariables.includes(variable))
    .sort()
    .map((variable) => `Unknown setting ${variable}: docs/configuration.md lists the settings.`);
}
