import { closest } from './closest.ts';
import { isLoopback } from './parsers.ts';
import { ConfigError, type ServiceConfig } from './service-config.ts';
import { settingNames, settings } from './settings.ts';

/** Command-line flags as text, by the name of the setting. */
export type Flags = Partial<Record<keyof ServiceConfig, string | undefined>>;

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
  for (const name of settingNames) {
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
  if (typeof config.host === 'string' && !isLoopback(config.host) && config.plainHttp === 'no') {
    problems.push(
      `${flags.host === undefined ? settings.host.variable : '--host'} is an address beyond this machine, which Caregate would serve over plain HTTP: keys and health data could be read on the way. Listen on 127.0.0.1 behind a proxy with TLS, or say --plain-http (or CAREGATE_PLAIN_HTTP=yes) where that network is a trusted one.`,
    );
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
  const known = settingNames.map((name) => settings[name].variable);
  return Object.keys(env)
    .filter((variable) => variable.startsWith('CAREGATE_') && !known.includes(variable))
    .sort()
    .map((variable) => {
      const near = closest(variable, known, 3);
      return `There is no setting ${variable}. The closest there are: ${near.join(', ')}.`;
    });
}
