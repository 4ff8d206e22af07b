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
        `${flag ?? variable} (or ${variable}) is required: it must be ${parse.expects}.`,
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
      `${flags.host === undefined ? settings.host.variable : '--host'} is reachable from other machines, and Caregate serves plain HTTP: API keys and health data would be sent unencrypted. Listen on 127.0.0.1 behind a TLS proxy, or set --plain-http (or CAREGATE_PLAIN_HTTP=yes) if the network is trusted.`,
    );
  }
  if (Number(config.headersTimeoutMs) > Number(config.requestTimeoutMs)) {
    const { headersTimeoutMs, requestTimeoutMs } = settings;
    problems.push(
      `${headersTimeoutMs.variable} must not be greater than ${requestTimeoutMs.variable}: the headers are part of the request.`,
    );
  }
  const one = (['upstream', 'upstreamTeam', 'upstreamKeyFile'] as const).map(
    (name) => config[name],
  );
  if (one.includes('') && one.some((given) => typeof given === 'string' && given !== '')) {
    problems.push('--upstream, --upstream-team and --upstream-key-file must be given together.');
  }
  if ((config.oidcIssuer === '') !== (config.oidcClientId === '')) {
    problems.push('CAREGATE_OIDC_ISSUER and CAREGATE_OIDC_CLIENT_ID must be set together.');
  }
  if (config.databaseUrl === '' && config.databaseReadUrl !== '') {
    problems.push('DATABASE_READ_URL requires DATABASE_URL: it is the address of its replica.');
  }
  if (problems.length > 0) {
    throw new ConfigError(problems.join('\n'));
  }
  return config as unknown as ServiceConfig;
}

/**
 * Reads only `DATABASE_URL`, for commands that need no other setting; empty: none.
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
    .map((variable) => `Unknown setting ${variable}. Did you mean ${closest(variable, known)}?`);
}

/** The word with the smallest edit distance (Levenshtein) to a misspelt one. */
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
