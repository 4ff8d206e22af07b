import { Controller, Get, Inject, Module, Param, Res, type DynamicModule } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/operation.decorator.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { problemPage } from '../problem/problem-pages.ts';
import { isProblemType } from '../problem/problems.ts';
import { ApiTexts } from './api-texts.ts';
import { DOCS_PAGE, docsAsset } from './docs-page.ts';

@Controller()
@Public()
class OpenApiController {
  readonly #texts: ApiTexts;

  constructor(@Inject(ApiTexts) texts: ApiTexts) {
    this.#texts = texts;
  }

  @Get()
  about(@Res() reply: FastifyReply): void {
    void reply.type('application/json; charset=utf-8').send(this.#texts.about);
  }

  @Get('problems/:type')
  problem(@Param('type') type: string, @Res() reply: FastifyReply): void {
    if (!isProblemType(type)) {
      throw new ProblemError({ type: 'not-found' });
    }
    void reply.type('text/html; charset=utf-8').send(problemPage(type));
  }

  @Get('openapi.json')
  document(@Res() reply: FastifyReply): void {
    void reply.type('application/json; charset=utf-8').send(this.#texts.openApi);
  }

  @Get('docs')
  page(@Res() reply: FastifyReply): void {
    void reply.type('text/html; charset=utf-8').send(DOCS_PAGE);
  }

  // A wildcard, since a named parameter does not match the empty name after `/docs/`.
  @Get('docs/*')
  async asset(@Param('*') name: string, @Res() reply: FastifyReply): Promise<void> {
    if (name === '') {
      void reply.redirect('../docs', 302);
      return;
    }
    const asset = await docsAsset(name);
    if (asset === undefined) {
      throw new ProblemError({ type: 'not-found' });
    }
    void reply.type(asset.type).send(asset.body);
  }
}

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
