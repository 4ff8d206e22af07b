import { isUuid } from '@caregate/domain';
import { Secret, type Upstreams, type UpstreamSettings } from '@caregate/data-store';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isLoopback } from './parsers.ts';
import { ConfigError } from './service-config.ts';
import { errorCode } from './operator-error.ts';

type Env = Readonly<Record<string, string | undefined>>;

const FIELDS = ['base_url', 'api_key', 'api_key_file', 'api_key_env', 'header_name', 'plain_http'];
const KEY_FIELDS = ['api_key', 'api_key_file', 'api_key_env'] as const;
const MAX_FILE_BYTES = 1024 * 1024;

/** None without a file. @throws ConfigError that names file, team and field, but has no other content of the file */
export function readUpstreams(file: string, env: Env): Upstreams {
  if (file === '') {
    return new Map();
  }
  const parsed = objectOf(parse(readSecretFile(file)));
  if (parsed === undefined) {
    throw new ConfigError(`${file} must be a JSON object that maps team ids to upstreams.`);
  }
  const upstreams = new Map<string, UpstreamSettings>();
  for (const [teamId, entry] of Object.entries(parsed)) {
    if (!isUuid(teamId)) {
      throw new ConfigError(`${file} must use team ids (UUIDs) as keys.`);
    }
    const team = teamId.toLowerCase();
    const where = `${file}: team ${team}:`;
    if (upstreams.has(team)) {
      throw new ConfigError(`${where} is given more than once.`);
    }
    upstreams.set(team, settingsOf(objectOf(entry) ?? {}, where, dirname(resolve(file)), env));
  }
  return upstreams;
}

function settingsOf(
  entry: Readonly<Record<string, unknown>>,
  where: string,
  folder: string,
  env: Env,
): UpstreamSettings {
  const unknown = Object.keys(entry).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    const shown = /^[\w-]{1,40}$/.test(unknown) ? unknown : 'one of the fields';
    throw new ConfigError(`${where} ${shown} is not a known field. Fields: ${FIELDS.join(', ')}.`);
  }
  const { base_url: baseUrl, header_name: headerName, plain_http: plainHttp = false } = entry;
  if (typeof plainHttp !== 'boolean') {
    throw new ConfigError(`${where} plain_http must be true or false.`);
  }
  if (headerName !== undefined && (typeof headerName !== 'string' || !isHeaderOfKey(headerName))) {
    throw new ConfigError(`${where} header_name must be a valid request header name.`);
  }
  return {
    baseUrl: upstreamAddress(baseUrl, plainHttp, `${where} base_url`),
    apiKey: keyOf(entry, where, folder, env),
    headerName,
  };
}

function upstreamAddress(value: unknown, plainHttp: boolean, name: string): string {
  const url = typeof value === 'string' && !/[?#]/.test(value) ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw new ConfigError(
      `${name} must be an https:// or http:// URL without user info, query or fragment.`,
    );
  }
  if (
    url.protocol === 'http:' &&
    !plainHttp &&
    !isLoopback(url.hostname.replace(/^\[|\]$/gu, ''))
  ) {
    throw new ConfigError(
      `${name} must begin with https://: otherwise the key and the data are sent unencrypted. To allow this, set plain_http to true.`,
    );
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

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
    throw new ConfigError(`${where} must have exactly one of ${KEY_FIELDS.join(', ')}.`);
  }
  const value = entry[field];
  if (typeof value !== 'string' || value === '') {
    throw new ConfigError(`${where} ${field} must be a non-empty string.`);
  }
  switch (field) {
    case 'api_key':
      return keyText(value, `${where} api_key`);
    case 'api_key_file':
      return readKeyFile(resolve(folder, value));
    case 'api_key_env': {
      if (value.startsWith('CAREGATE_')) {
        throw new ConfigError(`${where} api_key_env must not begin with CAREGATE_.`);
      }
      return keyText(env[value] ?? '', `${where} the variable given by api_key_env`);
    }
  }
}

function readKeyFile(file: string): Secret {
  return keyText(readSecretFile(file).trim(), file);
}

function keyText(text: string, name: string): Secret {
  if (!/^[!-~]{1,4096}$/.test(text)) {
    throw new ConfigError(`${name} must contain a key: visible ASCII characters without spaces.`);
  }
  return new Secret(text);
}

/** Reads a file with keys; it must be readable only by its owner. */
function readSecretFile(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const { mode, size } = fstatSync(descriptor);
    // Windows has no such mode bits.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ConfigError(
        `${file} contains keys but is readable by other users. Restrict its permissions (chmod 600).`,
      );
    }
    if (size > MAX_FILE_BYTES) {
      throw new ConfigError(`${file} is too large for a key file.`);
    }
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) {
      throw error;
    }
    throw new ConfigError(`${file} cannot be read (${errorCode(error)}).`);
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}

/** Not the parser's message, which quotes the text. */
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
