import type { Decode } from './charset.ts';
import { type Refusal, RefusedMessage } from './refusal.ts';
import { type Separators, unescape } from './separators.ts';

export interface Syntax {
  readonly separators: Separators;
  readonly decode: Decode;
}

/** These limits bound the memory for a field. No laboratory sends as much. */
const MOST_REPETITIONS = 20_000;
const MOST_CHARACTERS = 2 ** 20;
/** Higher numbers than any field or component that is read. */
const MOST_FIELDS = 32;
const MOST_COMPONENTS = 16;

export class Segment {
  readonly name: string;
  /** Position among the segments of this name, starting at 1. */
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

  refuse(
    error: Refusal['error'],
    field: number | undefined,
    message: string,
    ack: Refusal['ack'] = 'AE',
  ): never {
    const { name: segment, sequence } = this;
    throw new RefusedMessage({ ack, error, segment, sequence, field, message });
  }

  /** Returns no repetition if the field is empty or null, which HL7 writes as `""`. */
  getRepetitions(field: number): Repetition[] {
    const raw = this.#fields[field] ?? '';
    if (raw === '' || raw === '""') {
      return [];
    }
    if (raw.length > MOST_CHARACTERS) {
      const most = MOST_CHARACTERS.toLocaleString('en');
      this.refuse('dataType', field, `The field must have at most ${most} characters.`);
    }
    const all = this.#splitRepetitions(raw);
    if (all.length > MOST_REPETITIONS) {
      const most = MOST_REPETITIONS.toLocaleString('en');
      this.refuse('dataType', field, `The field must have at most ${most} repetitions.`);
    }
    return all.map((each) => new Repetition(each, this.#syntax));
  }

  /** Whether the field exceeds the limits, so that `getRepetitions` can't read it completely. */
  isTooLong(field: number): boolean {
    const raw = this.#fields[field] ?? '';
    return raw.length > MOST_CHARACTERS || this.#splitRepetitions(raw).length > MOST_REPETITIONS;
  }

  #splitRepetitions(raw: string): string[] {
    return raw.split(this.#syntax.separators.repetition, MOST_REPETITIONS + 1);
  }

  /** Returns the components in the first `length` characters. Works on a field of any length. */
  getFirstComponents(field: number, length: number): string[] {
    const start = (this.#fields[field] ?? '').slice(0, length);
    return new Repetition(start, this.#syntax).getComponents();
  }

  /** Returns a component of the first repetition, or `undefined` if it is empty or null. */
  getText(field: number, component = 1): string | undefined {
    return this.getRepetitions(field)[0]?.getComponent(component);
  }

  /** Returns the first `count` components of the first repetition. */
  getComponents(field: number, count: number): (string | undefined)[] {
    return Array.from({ length: count }, (_none, at) => this.getText(field, at + 1));
  }

  /** Returns the field as text, with each repetition on its own line. */
  getFullText(field: number): string {
    return this.getRepetitions(field)
      .map((each) => each.getFullText())
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

  /** Returns the components, trimmed. A null component (`""`) is an empty string. */
  getComponents(): string[] {
    return this.#raw
      .split(this.#syntax.separators.component, MOST_COMPONENTS)
      .map((_part, at) => this.getComponent(at + 1) ?? '');
  }

  /**
   * Returns the repetition as one text, in which component separators are ordinary characters. Trailing spaces are
   * removed.
   */
  getFullText(): string {
    return this.#raw === '""' ? '' : this.#decode(this.#raw).trimEnd();
  }

  /**
   * Returns a component, trimmed, or `undefined` if it is empty or null. Without `subcomponent`, subcomponent
   * separators are ordinary characters, since laboratories often send an ampersand that is not escaped.
   */
  getComponent(component: number, subcomponent?: number): string | undefined {
    const { component: componentSeparator, subcomponent: subcomponentSeparator } =
      this.#syntax.separators;
    const raw = this.#raw.split(componentSeparator, MOST_COMPONENTS)[component - 1] ?? '';
    const part =
      subcomponent === undefined || subcomponentSeparator === ''
        ? raw
        : (raw.split(subcomponentSeparator, MOST_COMPONENTS)[subcomponent - 1] ?? '');
    const text = this.#decode(part).trim();
    return text === '' || text === '""' ? undefined : text;
  }

  #decode(raw: string): string {
    return unescape(raw, this.#syntax.separators, this.#syntax.decode);
  }
}
