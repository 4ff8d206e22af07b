import { readFileSync } from 'node:fs';
import type { Profile } from '../config/service-config.ts';
import { openApiDocument, SERVICE_NAME } from './document.ts';

export class ApiTexts {
  readonly about: string;
  readonly #profile: Profile;
  readonly #version = packageVersion();
  #openApi: string | undefined;

  constructor(profile: Profile) {
    this.#profile = profile;
    this.about = aboutText(this.#version);
  }

  /** JSON; generated on first use. */
  get openApi(): string {
    this.#openApi ??= JSON.stringify(openApiDocument(this.#version, this.#profile));
    return this.#openApi;
  }
}

/** Relative URLs work behind a path prefix of a proxy. */
function aboutText(version: string): string {
  const about = {
    name: SERVICE_NAME,
    version,
    documentation: './docs',
    openapi: './openapi.json',
    health: './readyz',
  };
  return `${JSON.stringify(about, null, 2)}\n`;
}

function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
