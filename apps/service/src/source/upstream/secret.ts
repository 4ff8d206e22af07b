import { inspect } from 'node:util';

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
