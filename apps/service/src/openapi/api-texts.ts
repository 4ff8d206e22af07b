import { readFileSync } from 'node:fs';
import type { Profile } from '../config/service-config.ts';
import { openApiDocument, SERVICE_NAME } from './document.ts';

/** The API's description of itself, generated once. */
export class ApiTexts {
  /** The OpenAPI document, JSON. */
  readonly openApi: string;
  /** The response for `/`, JSON. */
  readonly about: string;

  constructor(profile: Profile) {
    const version = packageVersion();
    this.openApi = JSON.stringify(openApiDocument(version, profile));
    this.about = aboutText(version);
  }
}

/** Relative references, to work behind a path prefix of a proxy. */
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
