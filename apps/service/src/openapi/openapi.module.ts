import { Module, type DynamicModule } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import type { Profile } from '../config/service-config.ts';
import { openApiDocument, SERVICE_NAME } from './document.ts';
import { ABOUT_TEXT, OPENAPI_TEXT, OpenApiController } from './openapi.controller.ts';

@Module({})
export class OpenApiModule {
  static with(parts: { profile: Profile }): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [
        {
          provide: OPENAPI_TEXT,
          useFactory: (): string =>
            JSON.stringify(openApiDocument(packageVersion(), parts.profile)),
        },
        { provide: ABOUT_TEXT, useFactory: (): string => aboutText(packageVersion()) },
      ],
    };
  }
}

/** Relative references, so that they hold behind a proxy's path too. */
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
