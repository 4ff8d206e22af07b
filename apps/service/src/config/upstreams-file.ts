import { isUuid } from '@caregate/domain';
import { Secret, type Upstreams, type UpstreamSettings } from '@caregate/data-store';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatHost, isLoopback } from './parsers.ts';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';

type Env = Readonly<Record<string, string | undefined>>;

const KEY_FIELDS = ['api_key', 'api_key_file', 'api_key_env'] as const;
const FIELDS = ['base_url', ...KEY_FIELDS, 'header_name', 'plain_http'];

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
const RESERVED_HEADER =
  /^(?:accept|connection|content-.*|cookie|host|te|trailer|transfer-encoding|upgrade|x-request-id)$/i;

/** Reads the upstream of each team; none without a file. @throws OperatorError without any value of the file */
export function readUpstreams(file: string, env: Env): Upstreams {
  const upstreams = new Map<string, UpstreamSettings>();
  if (file === '') {
    return upstreams;
  }
  const parsed = parseObject(readSecretFile(file));
  if (parsed === undefined) {
    throw new OperatorError(`${file} must be a JSON object that maps team ids to upstreams.`, 2);
  }
  for (const [teamId, entry] of Object.entries(parsed)) {
    if (!isUuid(teamId)) {
      throw new OperatorError(`${file} must use team ids (UUIDs) as keys.`, 2);
    }
    const team = teamId.toLowerCase();
    const refuse = (problem: string): never => {
      throw new OperatorError(`${file}: team ${team}: ${problem}`, 2);
    };
    if (upstreams.has(team)) {
      refuse('is given more than once.');
    }
    const fields = new Map(Object.entries((typeof entry === 'object' && entry) || {}));
    upstreams.set(team, readUpstream(fields, { refuse, env, folder: dirname(resolve(file)) }));
  }
  return upstreams;
}

type Fields = ReadonlyMap<string, unknown>;

interface ReadContext {
  readonly refuse: (problem: string) => never;
  readonly env: Env;
  readonly folder: string;
}

function readUpstream(fields: Fields, context: ReadContext): UpstreamSettings {
  const { refuse } = context;
  const unknown = [...fields.keys()].find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    const shown = /^[\w-]{1,40}$/.test(unknown) ? unknown : 'one of the fields';
    refuse(`${shown} is not a known field. Fields: ${FIELDS.join(', ')}.`);
  }
  const plainHttp = fields.get('plain_http') ?? false;
  if (typeof plainHttp !== 'boolean') {
    return refuse('plain_http must be true or false.');
  }
  const headerName = fields.get('header_name');
  const isHeader =
    typeof headerName === 'string' &&
    HEADER_NAME.test(headerName) &&
    !RESERVED_HEADER.test(headerName);
  if (headerName !== undefined && !isHeader) {
    return refuse('header_name must be a valid request header name.');
  }
  const baseUrl = readAddress(fields.get('base_url'), plainHttp, refuse);
  return { baseUrl, apiKey: readKey(fields, context), headerName };
}

function readAddress(value: unknown, plainHttp: boolean, refuse: ReadContext['refuse']): string {
  const url = typeof value === 'string' && !/[?#]/.test(value) ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    return refuse(
      'base_url must be an https:// or http:// URL without user info, query or fragment.',
    );
  }
  if (url.protocol === 'http:' && !plainHttp && !isLoopback(formatHost(url))) {
    refuse(
      'base_url must begin with https://: otherwise the key and the data are sent unencrypted. To allow this, set plain_http to true.',
    );
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

function readKey(fields: Fields, { refuse, env, folder }: ReadContext): Secret {
  const [field, ...more] = KEY_FIELDS.filter((name) => fields.get(name) !== undefined);
  if (field === undefined || more.length > 0) {
    return refuse(`must have exactly one of ${KEY_FIELDS.join(', ')}.`);
  }
  const value = fields.get(field);
  if (typeof value !== 'string' || value === '') {
    return refuse(`${field} must be a non-empty string.`);
  }
  if (field === 'api_key_env' && value.startsWith('CAREGATE_')) {
    refuse('api_key_env must not begin with CAREGATE_.');
  }
  const text = {
    api_key: () => value,
    api_key_file: () => readSecretFile(resolve(folder, value)).trim(),
    api_key_env: () => env[value] ?? '',
  }[field]();
  if (!/^[!-~]{1,4096}$/.test(text)) {
    const name = field === 'api_key_env' ? 'the variable given by api_key_env' : field;
    refuse(`${name} must contain a key: visible ASCII characters without spaces.`);
  }
  return new Secret(text);
}

/** Reads a file with API keys. @throws OperatorError if other users than its owner may read it */
function readSecretFile(file: string): string {
  try {
    // Windows has no such mode bits.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new OperatorError(
        `${file} contains keys but is readable by other users. Restrict its permissions (chmod 600).`,
        2,
      );
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`${file} cannot be read (${getErrorCode(error)}).`, 2, error);
  }
}

/** Doesn't pass on the parser's message, which quotes the text. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
