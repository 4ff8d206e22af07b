import { isUuid } from '@caregate/domain';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isLoopback } from '../../config/parsers.ts';
import { ConfigError, type ServiceConfig } from '../../config/service-config.ts';
import { errorCode } from '../../database/error-code.ts';
import { inspect } from 'node:util';

/** Where one team's data is read, and with what key. */
export interface UpstreamSettings {
  /** Origin and path prefix, without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** Request header of the key; the interface document's own name unless given. */
  readonly headerName: string | undefined;
}

/** By team id in lower case. */
export type Upstreams = ReadonlyMap<string, UpstreamSettings>;

type Env = Readonly<Record<string, string | undefined>>;

const FIELDS = ['base_url', 'api_key', 'api_key_file', 'api_key_env', 'header_name', 'plain_http'];
const KEY_FIELDS = ['api_key', 'api_key_file', 'api_key_env'] as const;
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * All upstreams of a deployment: those of the file, and the one that flags name.
 *
 * @throws ConfigError as {@link readUpstreams} does
 */
export function upstreamsOf(
  config: Pick<ServiceConfig, 'upstreams' | 'upstream' | 'upstreamTeam' | 'upstreamKeyFile'>,
  env: Env,
): Upstreams {
  const upstreams = new Map(config.upstreams === '' ? [] : readUpstreams(config.upstreams, env));
  if (config.upstream !== '') {
    if (upstreams.has(config.upstreamTeam)) {
      throw new ConfigError(`${config.upstreams} names the team of --upstream-team too.`);
    }
    upstreams.set(config.upstreamTeam, {
      baseUrl: upstreamAddress(config.upstream, false, '--upstream'),
      apiKey: readKeyFile(config.upstreamKeyFile),
      headerName: undefined,
    });
  }
  return upstreams;
}

/**
 * Reads the file that says which teams' data is read from an upstream.
 *
 * @throws ConfigError that names the file, the team and the field, and repeats nothing of what the file holds besides
 */
export function readUpstreams(file: string, env: Env): Upstreams {
  const parsed = objectOf(parse(readSecretFile(file)));
  if (parsed === undefined) {
    throw new ConfigError(`${file} must be a JSON object from team ids to upstreams.`);
  }
  const upstreams = new Map<string, UpstreamSettings>();
  for (const [teamId, entry] of Object.entries(parsed)) {
    if (!isUuid(teamId)) {
      throw new ConfigError(`${file} must name each team by its id, a uuid.`);
    }
    const team = teamId.toLowerCase();
    const where = `${file}: team ${team}:`;
    if (upstreams.has(team)) {
      throw new ConfigError(`${where} is there twice.`);
    }
    upstreams.set(team, settingsOf(objectOf(entry) ?? {}, where, dirname(resolve(file)), env));
  }
  return upstreams;
}

/** One upstream. `where` begins the line that says what is wrong with it. */
function settingsOf(
  entry: Readonly<Record<string, unknown>>,
  where: string,
  folder: string,
  env: Env,
): UpstreamSettings {
  const unknown = Object.keys(entry).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    const shown = /^[\w-]{1,40}$/.test(unknown) ? unknown : 'one of its fields';
    throw new ConfigError(`${where} ${shown} is not a field; there are ${FIELDS.join(', ')}.`);
  }
  const { base_url: baseUrl, header_name: headerName, plain_http: plainHttp = false } = entry;
  if (typeof plainHttp !== 'boolean') {
    throw new ConfigError(`${where} plain_http must be true or false.`);
  }
  if (headerName !== undefined && (typeof headerName !== 'string' || !isHeaderOfKey(headerName))) {
    throw new ConfigError(`${where} header_name must be the name of a request header.`);
  }
  return {
    baseUrl: upstreamAddress(baseUrl, plainHttp, `${where} base_url`),
    apiKey: keyOf(entry, where, folder, env),
    headerName,
  };
}

/** @param name begins the line that says what is wrong */
function upstreamAddress(given: unknown, plainHttp: boolean, name: string): string {
  const url = typeof given === 'string' && !/[?#]/.test(given) ? URL.parse(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new ConfigError(
      `${name} must be an address of https:// or http://, without user, query or fragment.`,
    );
  }
  if (
    url.protocol === 'http:' &&
    !plainHttp &&
    !isLoopback(url.hostname.replace(/^\[|\]$/gu, ''))
  ) {
    throw new ConfigError(
      `${name} must begin with https://, or the key and the data travel in the clear; plain_http says that they may.`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The headers of a request that are not the key's to take. */
function isHeaderOfKey(name: string): boolean {
  return (
    /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) &&
    !/^(?:accept|connection|content-.*|cookie|host|te|trailer|transfer-encoding|upgrade|x-request-id)$/i.test(
      name,
    )
  );
}

function keyOf(
  entry: Readonly<Record<string, unknown>>,
  where: string,
  folder: string,
  env: Env,
): Secret {
  const [field, ...more] = KEY_FIELDS.filter((name) => entry[name] !== undefined);
  if (field === undefined || more.length > 0) {
    throw new ConfigError(`${where} must have one of ${KEY_FIELDS.join(', ')}.`);
  }
  const given = entry[field];
  if (typeof given !== 'string' || given === '') {
    throw new ConfigError(`${where} ${field} must be a text.`);
  }
  switch (field) {
    case 'api_key':
      return keyText(given, `${where} api_key`);
    case 'api_key_file':
      return readKeyFile(resolve(folder, given));
    case 'api_key_env': {
      if (given.startsWith('CAREGATE_')) {
        throw new ConfigError(`${where} api_key_env must not begin with CAREGATE_.`);
      }
      return keyText(env[given] ?? '', `${where} the variable that api_key_env names`);
    }
  }
}

/** @throws ConfigError that names the file */
function readKeyFile(file: string): Secret {
  return keyText(readSecretFile(file).trim(), file);
}

function keyText(text: string, name: string): Secret {
  if (!/^[!-~]{1,4096}$/.test(text)) {
    throw new ConfigError(`${name} must hold a key: visible ASCII characters, without spaces.`);
  }
  return new Secret(text);
}

/** A file that nobody but its owner may read: keys are in it. */
function readSecretFile(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { mode, size } = fstatSync(descriptor);
    // Windows has no such bits; its folders' rights hold there.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ConfigError(
        `${file} holds keys and may be read by others: take their rights away (chmod 600).`,
      );
    }
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError(`${file} is too large for a file of keys.`);
    }
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) {
      throw error;
    }
    throw new ConfigError(`${file} can't be read (${errorCode(error)}).`);
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}

/** Undefined for what is no JSON: the parser's own message would quote it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** A text that no log, error, JSON or `util.inspect` shows. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** For the one place that sends it. */
  reveal(): string {
    return this.#text;
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
