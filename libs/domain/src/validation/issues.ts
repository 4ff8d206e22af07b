import { FORMAT_MESSAGES } from './format-checks.ts';
import type { Issue } from './verdict.ts';

/** What a compiled validator leaves behind for each failed keyword (Ajv's error object). */
export interface CompiledError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const MOST = 100;

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

/** Ajv's errors in our words. */
export function issuesOf(value: unknown, errors: readonly CompiledError[]): Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    // Of "an entity or null" the entity's own errors tell more than that it is not null.
    if (error.keyword === 'anyOf' || error.schemaPath.includes('/anyOf/1/')) {
      continue;
    }
    const path = pathOf(value, error.instancePath);
    issues.push(issueOf(path, error));
    if (issues.length === MOST) {
      break;
    }
  }
  return issues;
}

function issueOf(path: (string | number)[], { keyword, params }: CompiledError): Issue {
  switch (keyword) {
    case 'required':
      return { path: [...path, String(params['missingProperty'])], message: 'is required' };
    case 'additionalProperties':
      return {
        path: [...path, String(params['additionalProperty'])],
        message: 'is not a field that is known here',
      };
    case 'type':
      return { path, message: `must be ${typeNames(params['type'])}` };
    case 'format':
      return {
        path,
        message: FORMAT_MESSAGES[params['format'] as keyof typeof FORMAT_MESSAGES],
      };
    case 'enum':
      return { path, message: `must be ${oneOf(params['allowedValues'] as readonly string[])}` };
    case 'minimum':
      return { path, message: `must be ${String(params['limit'])} or more` };
    case 'maximum':
      return { path, message: `must be ${String(params['limit'])} or less` };
    default:
      return { path, message: `is refused by "${keyword}"` };
  }
}

function oneOf(allowed: readonly string[]): string {
  return allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${allowed.join(', ')}`;
}

function typeNames(type: unknown): string {
  const names = Array.isArray(type) ? type : String(type).split(',');
  return names.map((name) => ARTICLES[String(name)] ?? String(name)).join(' or ');
}

/** A JSON pointer as a path; a step is a number only where the value holds a list there. */
function pathOf(value: unknown, pointer: string): (string | number)[] {
  let at = value;
  return pointer
    .split('/')
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(at) ? Number(name) : name;
      at = (at as Record<string | number, unknown>)[step];
      return step;
    });
}
