import { Module } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';
import { OPENAPI_TEXT, OpenApiController } from './openapi.controller.ts';

@Module({
  controllers: [OpenApiController],
  providers: [
    {
      provide: OPENAPI_TEXT,
      useFactory: (): string => JSON.stringify(openApiDocument(packageVersion())),
    },
  ],
})
export class OpenApiModule {}

function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
