import { Controller, Get, Inject, Module, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/operation.decorator.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { isProblemType, renderProblemPage } from '../problem/problems.ts';
import { CONFIG } from '../common/tokens.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { readVersion } from '../config/version.ts';
import { DOCS_PAGE, loadDocsAsset } from './docs-page.ts';
import { buildOpenApiDocument, SERVICE_NAME } from './document.ts';

const VERSION = readVersion();

@Controller()
class OpenApiController {
  #document: string | undefined;

  constructor(@Inject(CONFIG) private readonly config: ServiceConfig) {}

  @Get()
  @Public('about')
  getAbout(@Res() reply: FastifyReply): void {
    const about = {
      ...{ name: SERVICE_NAME, version: VERSION },
      ...{ documentation: './docs', openapi: './openapi.json', health: './readyz' },
    };
    void reply.type('application/json; charset=utf-8').send(`${JSON.stringify(about, null, 2)}\n`);
  }

  @Get('problems/:type')
  @Public('problemType')
  getProblemPage(@Param('type') type: string, @Res() reply: FastifyReply): void {
    if (!isProblemType(type)) {
      throw new ProblemError({ type: 'not-found' });
    }
    void reply.type('text/html; charset=utf-8').send(renderProblemPage(type));
  }

  @Get('openapi.json')
  @Public('openapi')
  getDocument(@Res() reply: FastifyReply): void {
    this.#document ??= JSON.stringify(buildOpenApiDocument(VERSION, this.config.profile));
    void reply.type('application/json; charset=utf-8').send(this.#document);
  }

  @Get('docs')
  @Public('docs')
  getDocsPage(@Res() reply: FastifyReply): void {
    void reply.type('text/html; charset=utf-8').send(DOCS_PAGE);
  }

  // A wildcard, since a named parameter doesn't match the empty name after `/docs/`.
  @Get('docs/*')
  @Public('docsFile')
  async getDocsAsset(@Param('*') name: string, @Res() reply: FastifyReply): Promise<void> {
    if (name === '') {
      void reply.redirect('../docs', 302);
      return;
    }
    const asset = await loadDocsAsset(name);
    if (asset === undefined) {
      throw new ProblemError({ type: 'not-found' });
    }
    void reply.type(asset.type).send(asset.body);
  }
}

@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
