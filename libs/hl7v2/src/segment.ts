import type { Decode } from './charset.ts';
import { type Refusal, RefusedMessage } from './refusal.ts';
import { type Separators, unescape } from './separators.ts';

export interface Syntax {
  readonly separators: Separators;
  readonly decode: Decode;
}

/** They bound the memory that a field can take; no laboratory sends as much. */
const MOST_REPETITIONS = 20_000;
const MOST_CHARACTERS = 2 ** 20;
/** More than the fields and components that are read. */
const MOST_FIELDS = 32;
const MOST_COMPONENTS = 16;

/** A segment, and where in the message it stands. */
export class Segment {
  readonly name: string;
  /** Which of this name in the message, from 1. */
  readonly sequence: number;
  readonly #fields: readonly string[];
  readonly #syntax: Syntax;

  constructor(line: string, sequence: number, syntax: Syntax) {
    const fields = line.split(syntax.separators.field, MOST_FIELDS);
    this.name = fields[0] ?? '';
    this.sequence = sequence;
    this.#fields =
      this.name === 'MSH' ? ['MSH', syntax.separators.field, ...fields.slice(1)] : fields;
    this.#syntax = syntax;
  }

  /** @throws RefusedMessage */
  refuse(
    error: Refusal['error'],
    field: number | undefined,
    message: string,
    ack: Refusal['ack'] = 'AE',
  ): never {
    const { name: segment, sequence } = this;
    throw new RefusedMessage({ ack, error, segment, sequence, field, message });
  }

  /** None if the field is empty or, in HL7's words, null (`""`). */
  repetitions(field: number): Repetition[] {
    const raw = this.#fields[field] ?? '';
    if (raw === '' || raw === '""') {
      return [];
    }
    if (raw.length > MOST_CHARACTERS) {
      const most = MOST_CHARACTERS.toLocaleString('en');
      this.refuse('dataType', field, `The field must have at most ${most} characters.`);
    }
    const { repetition } = this.#syntax.separators;
    const all = raw.split(repetition, MOST_REPETITIONS + 1);
    if (all.length > MOST_REPETITIONS) {
      const most = MOST_REPETITIONS.toLocaleString('en');
      this.refuse('dataType', field, `The field must have at most ${most} repetitions.`);
    }
    return all.map((each) => new Repetition(each, this.#syntax));
  }

  /** Whether a field is longer, or has more repetitions, than `repetitions` reads. */
  isTooLong(field: number): boolean {
    const raw = this.#fields[field] ?? '';
    const { repetition } = this.#syntax.separators;
    return (
      raw.length > MOST_CHARACTERS ||
      (repetition !== '' && raw.split(repetition, MOST_REPETITIONS + 1).length > MOST_REPETITIONS)
    );
  }

  /** The components in the first `length` characters of a field of any length. */
  firstComponents(field: number, length: number): string[] {
    const start = (this.#fields[field] ?? '').slice(0, length);
    return new Repetition(start, this.#syntax).components();
  }

  /** A component of the first repetition; undefined if it is empty or null. */
  text(field: number, component = 1): string | undefined {
    return this.repetitions(field)[0]?.component(component);
  }

  /** The first `count` components of the first repetition. */
  components(field: number, count: number): (string | undefined)[] {
    return Array.from({ length: count }, (_none, at) => this.text(field, at + 1));
  }

  /** The field as text, each repetition on a line. */
  whole(field: number): string {
    return this.repetitions(field)
      .map((each) => each.whole())
      .join('\n');
  }
}

export class Repetition {
  readonly #raw: string;
  readonly #syntax: Syntax;

  constructor(raw: string, syntax: Syntax) {
    this.#raw = raw;
    this.#syntax = syntax;
  }

  /** The components, trimmed; those that are empty or null are empty. */
  components(): string[] {
    return this.#raw
      .split(this.#syntax.separators.component, MOST_COMPONENTS)
      .map((_part, at) => this.component(at + 1) ?? '');
  }

  /** Separators of components are text here. Without the spaces at its end. */
  whole(): string {
    return this.#raw === '""' ? '' : this.#decoded(this.#raw).trimEnd();
  }

  /**
   * Trimmed; undefined if it is empty or null. Separators of subcomponents are text here, unless one is asked for: texts often have an
   * ampersand that is not escaped.
   */
  component(component: number, subcomponent?: number): string | undefined {
    const { component: between, subcomponent: within } = this.#syntax.separators;
    const raw = this.#raw.split(between, MOST_COMPONENTS)[component - 1] ?? '';
    const part =
      subcomponent === undefined || within === ''
        ? raw
        : (raw.split(within, MOST_COMPONENTS)[subcomponent - 1] ?? '');
    const text = this.#decoded(part).trim();
    return text === '' || text === '""' ? undefined : text;
  }

  #decoded(raw: string): string {
    return unescape(raw, this.#syntax.separators, this.#syntax.decode);
  }
}
