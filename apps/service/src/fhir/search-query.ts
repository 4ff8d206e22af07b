import { GENDERS, isCalendarDate, isUuid } from '@caregate/domain';
import { SEARCH_PARAMETERS, sortParameters, type SearchedType } from '@caregate/fhir';
import { ProblemError, type FieldError } from '../problem/problem-error.ts';
import { dateCriterion, type DateCriterion } from './fhir-date.ts';

export type { SearchedType };

export interface Token {
  /** Undefined: of any system. */
  readonly system: string | undefined;
  readonly code: string | undefined;
}

/** One of the tokens must match. */
interface TokenCriterion {
  readonly name: string;
  readonly tokens: readonly Token[];
}

/** All criteria must match. */
export interface SearchQuery {
  readonly type: SearchedType;
  /** Undefined only for a search of patients. */
  readonly patient: string | undefined;
  readonly tokens: readonly TokenCriterion[];
  readonly dates: readonly { readonly name: string; readonly date: DateCriterion }[];
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  readonly sort: { readonly name: string; readonly isLatestFirst: boolean } | undefined;
  readonly count: number;
  readonly cursor: string | undefined;
  /** What was used of the parameters, without the cursor. */
  readonly used: string;
}

const DEFAULT_COUNT = 50;
const MOST = 200;
/** Each criterion is compared with each resource. */
const MOST_PARAMETERS = 20;
const MOST_VALUES = 50;
/** As at a desk. */
const MOST_TEXT = 200;
export const OF_PATIENT = ['patient', 'subject', 'beneficiary'];
const FORMATS = ['json', 'application/json', 'application/fhir+json'];

/** @param text of the address, the body of a `_search`, or both. @throws ProblemError 400 naming each wrong parameter */
export function searchQuery(type: SearchedType, text: string, isLenient: boolean): SearchQuery {
  const reading = new Reading(type);
  const all = [...new URLSearchParams(text)];
  if (all.length > MOST_PARAMETERS) {
    throw invalid({
      parameter: 'query',
      reason: `must have at most ${MOST_PARAMETERS} parameters`,
    });
  }
  const given = all.filter(([name, value]) => reading.take(name, value) || !isLenient);
  return reading.query(given, isLenient);
}

class Reading {
  readonly #type: SearchedType;
  readonly #patients: string[] = [];
  readonly #tokens: TokenCriterion[] = [];
  readonly #dates: { name: string; date: DateCriterion }[] = [];
  readonly #texts: { name: string; text: string }[] = [];
  readonly #single = new Map<string, string>();
  readonly #unknown: string[] = [];
  readonly #errors: FieldError[] = [];

  constructor(type: SearchedType) {
    this.#type = type;
  }

  /** False: unknown. */
  take(name: string, value: string): boolean {
    const kind = SEARCH_PARAMETERS[this.#type].find((one) => one.name === name)?.type;
    const isOfPage = ['_count', '_cursor', '_format', '_sort'].includes(name);
    if (kind === undefined && !isOfPage) {
      this.#unknown.push(name);
      return false;
    }
    if (value === '' || value.includes('\0')) {
      this.#refuse(name, value === '' ? 'must have a value' : 'must not contain a NUL character');
    } else if (isOfPage) {
      if (this.#single.has(name)) {
        this.#refuse(name, 'must not be repeated');
      }
      this.#single.set(name, value);
    } else if (kind === 'reference') {
      this.#takePatient(name, value);
    } else if (name === 'birthdate' && this.#isFirstWholeDay(value)) {
      // The index of people has whole days, as a desk searches them.
      this.#texts.push({ name, text: value.replace(/^eq/u, '') });
    } else if (kind === 'date') {
      const date = dateCriterion(value);
      if ('reason' in date) {
        this.#refuse(name, date.reason);
      } else {
        this.#dates.push({ name, date });
      }
    } else if (kind === 'token') {
      this.#takeTokens(name, value);
    } else {
      this.#takeText(name, value);
    }
    return true;
  }

  #isFirstWholeDay(value: string): boolean {
    return (
      isCalendarDate(value.replace(/^eq/u, '')) &&
      this.#texts.every(({ name }) => name !== 'birthdate')
    );
  }

  query(given: readonly (readonly [string, string])[], isLenient: boolean): SearchQuery {
    if (!isLenient) {
      for (const name of this.#unknown.slice(0, 5)) {
        this.#refuse(
          /^[A-Za-z_][A-Za-z0-9_:.-]{0,39}$/u.test(name) ? name : 'query',
          'is not a parameter of this search; metadata lists them',
        );
      }
    }
    const [patient] = this.#patients;
    if (this.#type !== 'Patient' && patient === undefined && !this.#hasErrorOf(OF_PATIENT)) {
      this.#refuse('patient', 'is required, as ID or Patient/ID');
    }
    const format = this.#single.get('_format');
    if (format !== undefined && !FORMATS.includes(format)) {
      this.#refuse('_format', 'must be json');
    }
    const count = this.#single.get('_count') ?? String(DEFAULT_COUNT);
    if (!/^\d{1,9}$/u.test(count)) {
      this.#refuse('_count', 'must be a whole number from 0');
    }
    const [, minus, sorted] = /^(-?)(.+)$/su.exec(this.#single.get('_sort') ?? '') ?? [];
    const sorts = sortParameters(this.#type);
    if (sorted !== undefined && !sorts.includes(sorted)) {
      this.#refuse('_sort', `must be one of ${sorts.join(', ')}, with or without - before it`);
    }
    if (this.#errors.length > 0) {
      throw invalid(...this.#errors);
    }
    return {
      type: this.#type,
      patient,
      tokens: this.#tokens,
      dates: this.#dates,
      texts: this.#texts,
      sort: sorted === undefined ? undefined : { name: sorted, isLatestFirst: minus === '-' },
      count: Math.min(Number(count), MOST),
      cursor: this.#single.get('_cursor'),
      used: new URLSearchParams(
        given.flatMap(([name, value]): [string, string][] =>
          name === '_cursor' ? [] : [[name, value]],
        ),
      ).toString(),
    };
  }

  #takePatient(name: string, value: string): void {
    const [, id] = /^(?:Patient\/)?([A-Za-z0-9.-]{1,64})$/u.exec(value) ?? [];
    if (id === undefined) {
      this.#refuse(name, 'must be ID or Patient/ID');
    } else if (this.#patients.some((other) => other !== id)) {
      this.#refuse(name, 'must name one patient');
    } else {
      this.#patients.push(id);
    }
  }

  #takeTokens(name: string, value: string): void {
    const values = value.split(/(?<!\\),/u);
    if (values.length > MOST_VALUES) {
      this.#refuse(name, `must have at most ${MOST_VALUES} values`);
      return;
    }
    const tokens = values.map((one): Token => {
      const [first = '', second] = one
        .split(/(?<!\\)\|/u)
        .map((part) => part.replace(/\\(.)/gu, '$1'));
      return second === undefined
        ? { system: undefined, code: first }
        : { system: first, code: second === '' ? undefined : second };
    });
    if (name === 'identifier' && tokens.some(({ code }) => code === undefined)) {
      this.#refuse(name, 'must have a value after |');
      return;
    }
    if (name === 'gender' && !tokens.every(({ code }) => Object.hasOwn(GENDERS, code ?? ''))) {
      this.#refuse(name, `must be one of ${Object.keys(GENDERS).join(', ')}`);
      return;
    }
    this.#tokens.push({ name, tokens });
  }

  #takeText(name: string, text: string): void {
    const before = this.#texts.filter((one) => one.name === name).map((one) => one.text);
    if (/[,$|]/u.test(text) || [...before, text].join('').length > MOST_TEXT) {
      this.#refuse(name, `must be one value of at most ${MOST_TEXT} characters`);
    } else {
      this.#texts.push({ name, text });
    }
  }

  #refuse(parameter: string, reason: string): void {
    this.#errors.push({ parameter, reason });
  }

  #hasErrorOf(names: readonly string[]): boolean {
    return this.#errors.some(({ parameter }) => names.includes(parameter));
  }
}

export function invalid(...errors: FieldError[]): ProblemError {
  const detail = 'The search has parameters that are not valid.';
  return new ProblemError({ type: 'malformed-request', detail, errors });
}

/** Lower case; what is no id of ours is nobody's. */
export function userIdOf(id: string): string | undefined {
  return isUuid(id) ? id.toLowerCase() : undefined;
}
