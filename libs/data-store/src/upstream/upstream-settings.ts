import { inspect } from 'node:util';

export interface UpstreamSettings {
  /** Origin and path prefix without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly headerName: string | undefined;
}

/** Upstreams by lower-case team ID. */
export type Upstreams = ReadonlyMap<string, UpstreamSettings>;

/** A secret text that doesn't appear in logs, errors, JSON or `util.inspect`. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

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
