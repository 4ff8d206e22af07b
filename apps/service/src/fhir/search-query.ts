import { GENDERS, isCalendarDate, isUuid } from '@caregate/domain';
import {
  SEARCH_PARAMETERS,
  listSortParameters,
  type SearchParameter,
  type SearchedType,
} from '@caregate/fhir';
import { ProblemError, type FieldError } from '../problem/problem-error.ts';
import { parseDateCriterion, type DateCriterion } from './fhir-date.ts';

export type { SearchedType };

export interface Token {
  /** Undefined matches any system. */
  readonly system: string | undefined;
  readonly code: string | undefined;
}

type Sort = { readonly name: string; readonly isLatestFirst: boolean } | undefined;

/** A search. A resource must match all criteria. */
export interface SearchQuery {
  readonly type: SearchedType;
  /** Undefined only for a search of patients. */
  readonly patient: string | undefined;
  /** For each parameter, one of its tokens must match. */
  readonly tokens: readonly { readonly name: string; readonly tokens: readonly Token[] }[];
  readonly dates: readonly { readonly name: string; readonly date: DateCriterion }[];
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  readonly sort: Sort;
  readonly count: number;
  readonly cursor: string | undefined;
  /** The parameters that were used, without the cursor. */
  readonly used: string;
}

const DEFAULT_COUNT = 50;
const MAX_COUNT = 200;
/** Limits of a search, since each criterion is compared with each resource. */
const MOST_PARAMETERS = 20;
const MOST_VALUES = 50;
/** The same limit as for searches at a desk. */
const MOST_TEXT = 200;
export const PATIENT_PARAMETERS = ['patient', 'subject', 'beneficiary'];
const FORMATS = ['json', 'application/json', 'application/fhir+json'];

/**
 * @param text the query of the URL, the body of a `_search`, or both @throws ProblemError 400 with each invalid
 * parameter
 */
export function parseSearchQuery(
  type: SearchedType,
  text: string,
  isLenient: boolean,
): SearchQuery {
  const all = [...new URLSearchParams(text)];
  if (all.length > MOST_PARAMETERS) {
    const reason = `must have at most ${MOST_PARAMETERS} parameters`;
    throw createInvalidSearchProblem({ parameter: 'query', reason });
  }
  const errors: FieldError[] = [];
  const refuse = (parameter: string, reason: string | undefined): void => {
    if (reason !== undefined) {
      errors.push({ parameter, reason });
    }
  };
  const findKind = (name: string): Kind | undefined =>
    PAGE_PARAMETERS.includes(name)
      ? 'page'
      : SEARCH_PARAMETERS[type].find((one) => one.name === name)?.type;
  const criteria: Criteria = { patients: [], tokens: [], dates: [], texts: [], page: new Map() };
  const supported = all.flatMap(([name, value]) => {
    const kind = findKind(name);
    return kind === undefined ? [] : [{ name, value, kind }];
  });
  for (const { name, value, kind } of supported) {
    refuse(name, findValueProblem(value) ?? READERS[kind](criteria, name, value));
  }
  const unknown = isLenient ? [] : all.filter(([name]) => findKind(name) === undefined);
  for (const [name] of unknown.slice(0, 5)) {
    const shown = /^[A-Za-z_][A-Za-z0-9_:.-]{0,39}$/u.test(name) ? name : 'query';
    refuse(shown, 'is not a parameter of this search; metadata lists them');
  }
  const isNamed = errors.some(({ parameter }) => PATIENT_PARAMETERS.includes(parameter));
  const [patient] = criteria.patients;
  if (type !== 'Patient' && patient === undefined && !isNamed) {
    refuse('patient', 'is required, as ID or Patient/ID');
  }
  const {
    _format = 'json',
    _count = String(DEFAULT_COUNT),
    _cursor,
    _sort = '',
  } = Object.fromEntries(criteria.page) as Readonly<Record<string, string | undefined>>;
  refuse('_format', FORMATS.includes(_format) ? undefined : 'must be json');
  refuse('_count', /^\d{1,9}$/u.test(_count) ? undefined : 'must be a whole number from 0');
  const [, minus, sorted] = /^(-?)(.+)$/su.exec(_sort) ?? [];
  const sorts = listSortParameters(type);
  if (sorted !== undefined && !sorts.includes(sorted)) {
    refuse('_sort', `must be one of ${sorts.join(', ')}, with or without - before it`);
  }
  if (errors.length > 0) {
    throw createInvalidSearchProblem(...errors);
  }
  const used = supported.flatMap(({ name, value }): [string, string][] =>
    name === '_cursor' ? [] : [[name, value]],
  );
  return {
    ...{ type, patient, tokens: criteria.tokens, dates: criteria.dates, texts: criteria.texts },
    sort: sorted === undefined ? undefined : { name: sorted, isLatestFirst: minus === '-' },
    count: Math.min(Number(_count), MAX_COUNT),
    cursor: _cursor,
    used: new URLSearchParams(used).toString(),
  };
}

const PAGE_PARAMETERS = ['_count', '_cursor', '_format', '_sort'];
type Kind = SearchParameter['type'] | 'page';

interface Criteria {
  readonly patients: string[];
  readonly tokens: { name: string; tokens: readonly Token[] }[];
  readonly dates: { name: string; date: DateCriterion }[];
  readonly texts: { name: string; text: string }[];
  readonly page: Map<string, string>;
}

function findValueProblem(value: string): string | undefined {
  return value === ''
    ? 'must have a value'
    : value.includes('\0')
      ? 'must not contain a NUL character'
      : undefined;
}

/** Each reader returns the reason if the value is invalid. */
const READERS: Readonly<
  Record<Kind, (read: Criteria, name: string, value: string) => string | undefined>
> = {
  page: ({ page }, name, value) => {
    const isRepeated = page.has(name);
    page.set(name, value);
    return isRepeated ? 'must not be repeated' : undefined;
  },
  reference: ({ patients }, _name, value) => {
    const [, id] = /^(?:Patient\/)?([A-Za-z0-9.-]{1,64})$/u.exec(value) ?? [];
    if (id === undefined) {
      return 'must be ID or Patient/ID';
    }
    if (patients.some((other) => other !== id)) {
      return 'must name one patient';
    }
    patients.push(id);
    return undefined;
  },
  date: ({ dates, texts }, name, value) => {
    const day = value.replace(/^eq/u, '');
    // The people index only has complete dates.
    if (
      name === 'birthdate' &&
      isCalendarDate(day) &&
      texts.every((one) => one.name !== 'birthdate')
    ) {
      texts.push({ name, text: day });
      return undefined;
    }
    const date = parseDateCriterion(value);
    if ('reason' in date) {
      return date.reason;
    }
    dates.push({ name, date });
    return undefined;
  },
  token: (criteria, name, value) => {
    const values = value.split(/(?<!\\),/u);
    if (values.length > MOST_VALUES) {
      return `must have at most ${MOST_VALUES} values`;
    }
    const tokens = values.map((one): Token => {
      const parts = one.split(/(?<!\\)\|/u).map((part) => part.replace(/\\(.)/gu, '$1'));
      const [first = '', second] = parts;
      return second === undefined
        ? { system: undefined, code: first }
        : { system: first, code: second === '' ? undefined : second };
    });
    if (name === 'identifier' && tokens.some(({ code }) => code === undefined)) {
      return 'must have a value after |';
    }
    if (name === 'gender' && !tokens.every(({ code }) => Object.hasOwn(GENDERS, code ?? ''))) {
      return `must be one of ${Object.keys(GENDERS).join(', ')}`;
    }
    criteria.tokens.push({ name, tokens });
    return undefined;
  },
  string: ({ texts }, name, text) => {
    const before = texts.filter((one) => one.name === name).map((one) => one.text);
    if (/[,$|]/u.test(text) || [...before, text].join('').length > MOST_TEXT) {
      return `must be one value of at most ${MOST_TEXT} characters`;
    }
    texts.push({ name, text });
    return undefined;
  },
};

export function createInvalidSearchProblem(...errors: FieldError[]): ProblemError {
  const detail = 'The search has parameters that are not valid.';
  return new ProblemError({ type: 'malformed-request', detail, errors });
}

/** Returns a lower-case user ID, or undefined if the text is not a UUID. */
export function parseUserId(id: string): string | undefined {
  return isUuid(id) ? id.toLowerCase() : undefined;
}
