import { FORMAT_MESSAGES } from './format-checks.ts';
import type { Issue } from './verdict.ts';

/** Ajv's error object for a keyword that failed. */
export interface CompiledError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const MAX_ISSUES = 100;

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

/** Converts Ajv's errors to issues. */
export function convertErrors(value: unknown, errors: readonly CompiledError[]): Issue[] {
  const issues: Issue[] = [];
  for (const error of errors) {
    // For a nullable entity, the errors of the entity are more useful than "must be null".
    if (error.keyword === 'anyOf' || error.schemaPath.includes('/anyOf/1/')) {
      continue;
    }
    const path = parsePointer(value, error.instancePath);
    issues.push(convertError(path, error));
    if (issues.length === MAX_ISSUES) {
      break;
    }
  }
  return issues;
}

function convertError(path: (string | number)[], { keyword, params }: CompiledError): Issue {
  switch (keyword) {
    case 'required':
      return { path: [...path, String(params['missingProperty'])], message: 'is required' };
    case 'additionalProperties':
      return {
        path: [...path, String(params['additionalProperty'])],
        message: 'is not a known field',
      };
    case 'type':
      return { path, message: `must be ${formatTypeNames(params['type'])}` };
    case 'format':
      return {
        path,
        message: FORMAT_MESSAGES[params['format'] as keyof typeof FORMAT_MESSAGES],
      };
    case 'enum':
      return {
        path,
        message: `must be ${formatChoices(params['allowedValues'] as readonly string[])}`,
      };
    case 'minimum':
      return { path, message: `must be ${String(params['limit'])} or more` };
    case 'maximum':
      return { path, message: `must be ${String(params['limit'])} or less` };
    case 'minItems':
      return { path, message: `must have ${String(params['limit'])} or more` };
    case 'maxItems':
      return { path, message: `must have ${String(params['limit'])} or fewer` };
    default:
      return { path, message: `violates "${keyword}"` };
  }
}

function formatChoices(allowed: readonly string[]): string {
  return allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${allowed.join(', ')}`;
}

function formatTypeNames(type: unknown): string {
  const names = Array.isArray(type) ? type : String(type).split(',');
  return names.map((name) => ARTICLES[String(name)] ?? String(name)).join(' or ');
}

/** Converts a JSON pointer to a path. A segment is a number only if the value has an array there. */
function parsePointer(value: unknown, pointer: string): (string | number)[] {
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
