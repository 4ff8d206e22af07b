import { Module, type DynamicModule } from '@nestjs/common';
import { ApiTexts } from './api-texts.ts';
import { OpenApiController } from './openapi.controller.ts';

@Module({})
export class OpenApiModule {
  static with({ apiTexts }: { readonly apiTexts: ApiTexts }): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: ApiTexts, useValue: apiTexts }],
    };
  }
}
