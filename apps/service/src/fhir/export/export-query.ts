import { instantOf, isDateTime } from '@caregate/domain';
import { TYPES, type SearchedType } from '@caregate/fhir';
import type { FastifyRequest } from 'fastify';
import { rawQuery } from '../../http/raw-request.ts';
import { ProblemError, type FieldError } from '../../problem/problem-error.ts';

export interface ExportQuery {
  /** What was used of the address: ignored parameters may have names. */
  readonly used: string;
  readonly types: readonly SearchedType[];
  /** Only what changed later, in microseconds since 1970. */
  readonly sinceUs: number | undefined;
}

const MOST_PARAMETERS = 20;
const USED = ['_type', '_since', '_outputFormat'];
const FORMATS = ['application/fhir+ndjson', 'application/ndjson', 'ndjson'];

/** Of the address, and of a POST's Parameters. @throws ProblemError 400 naming each wrong parameter */
export function exportQuery(request: FastifyRequest): ExportQuery {
  const errors: FieldError[] = [];
  const prefer = String(request.headers['prefer'] ?? '');
  const prefers = (what: string): boolean =>
    prefer.split(/[,;\s]+/u).some((one) => one.toLowerCase() === what);
  if (!prefers('respond-async')) {
    errors.push({ parameter: 'prefer', reason: 'must be a header with respond-async' });
  }
  const inAddress = [...new URLSearchParams(rawQuery(request.raw.url ?? ''))];
  const given = [...inAddress, ...inBody(request.body)];
  if (given.length > MOST_PARAMETERS) {
    throw invalid([
      { parameter: 'query', reason: `must have at most ${MOST_PARAMETERS} parameters` },
    ]);
  }
  const once = new Map<string, string>();
  const types = new Set<SearchedType>();
  for (const [name, value] of given) {
    if (name === '_type') {
      for (const each of value.split(',')) {
        const type = TYPES.find((one) => one === each);
        if (type === undefined) {
          errors.push({ parameter: name, reason: `must be of ${TYPES.join(', ')}` });
          break;
        }
        types.add(type);
      }
    } else if (name === '_since' || name === '_outputFormat') {
      if (once.has(name)) {
        errors.push({ parameter: name, reason: 'must not be repeated' });
      }
      once.set(name, value);
    } else if (name === 'patient' || !prefers('handling=lenient')) {
      // Without it, whoever asked for a few patients would get all.
      errors.push({
        parameter: /^[A-Za-z_][A-Za-z0-9_:.-]{0,39}$/u.test(name) ? name : 'query',
        reason: `is not a parameter of this export: ${USED.join(', ')} are`,
      });
    }
  }
  const since = once.get('_since');
  if (since !== undefined && !isDateTime(since)) {
    errors.push({ parameter: '_since', reason: 'must be an instant, as 2026-01-31T12:00:00Z' });
  }
  if (!FORMATS.includes(once.get('_outputFormat') ?? 'ndjson')) {
    errors.push({ parameter: '_outputFormat', reason: `must be one of ${FORMATS.join(', ')}` });
  }
  if (errors.length > 0) {
    throw invalid(errors.slice(0, 5));
  }
  const used = new URLSearchParams(inAddress.filter(([name]) => USED.includes(name)));
  return {
    used: used.size === 0 ? '' : `?${used.toString()}`,
    types: TYPES.filter((type) => types.size === 0 || types.has(type)),
    sinceUs: since === undefined ? undefined : instantOf(since),
  };
}

/** Of a Parameters resource: each has a name and one value, a text. */
function inBody(body: unknown): [string, string][] {
  if (body === undefined || body === null) {
    return [];
  }
  const { resourceType, parameter = [] } = body as Record<string, unknown>;
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) {
    throw invalid([{ parameter: 'body', reason: 'must be a Parameters resource' }]);
  }
  return parameter.map((one: unknown): [string, string] => {
    const { name, ...rest } = (one ?? {}) as Record<string, unknown>;
    const [value] = Object.values(rest);
    if (typeof name !== 'string') {
      throw invalid([{ parameter: 'body', reason: 'must have a name for each parameter' }]);
    }
    return [name, typeof value === 'string' ? value : ''];
  });
}

function invalid(errors: readonly FieldError[]): ProblemError {
  const detail = 'The request for an export is not valid.';
  return new ProblemError({ type: 'malformed-request', detail, errors });
}
