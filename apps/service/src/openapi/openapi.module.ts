import { Controller, Get, Inject, Module, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/operation.decorator.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { isProblemType, problemPage } from '../problem/problems.ts';
import { CONFIG } from '../common/tokens.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { version } from '../config/version.ts';
import { DOCS_PAGE, docsAsset } from './docs-page.ts';
import { openApiDocument, SERVICE_NAME } from './document.ts';

const VERSION = version();

@Controller()
class OpenApiController {
  #document: string | undefined;

  constructor(@Inject(CONFIG) private readonly config: ServiceConfig) {}

  @Get()
  @Public('about')
  about(@Res() reply: FastifyReply): void {
    const about = {
      ...{ name: SERVICE_NAME, version: VERSION },
      ...{ documentation: './docs', openapi: './openapi.json', health: './readyz' },
    };
    void reply.type('application/json; charset=utf-8').send(`${JSON.stringify(about, null, 2)}\n`);
  }

  @Get('problems/:type')
  @Public('problemType')
  problem(@Param('type') type: string, @Res() reply: FastifyReply): void {
    if (!isProblemType(type)) {
      throw new ProblemError({ type: 'not-found' });
    }
    void reply.type('text/html; charset=utf-8').send(problemPage(type));
  }

  @Get('openapi.json')
  @Public('openapi')
  document(@Res() reply: FastifyReply): void {
    this.#document ??= JSON.stringify(openApiDocument(VERSION, this.config.profile));
    void reply.type('application/json; charset=utf-8').send(this.#document);
  }

  @Get('docs')
  @Public('docs')
  page(@Res() reply: FastifyReply): void {
    void reply.type('text/html; charset=utf-8').send(DOCS_PAGE);
  }

  // A wildcard, since a named parameter doesn't match the empty name after `/docs/`.
  @Get('docs/*')
  @Public('docsFile')
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

@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
