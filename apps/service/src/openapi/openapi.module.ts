import { Module, type DynamicModule } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import type { Profile } from '../config/service-config.ts';
import { openApiDocument } from './document.ts';
import { OPENAPI_TEXT, OpenApiController } from './openapi.controller.ts';

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
      ],
    };
  }
}

function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
