import { Controller, Get, Inject, Module, Param, Res, type DynamicModule } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/operation.decorator.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { problemPage } from '../problem/problem-pages.ts';
import { isProblemType } from '../problem/problems.ts';
import type { Profile, ServiceConfig } from '../config/service-config.ts';
import { version } from '../config/version.ts';
import { DOCS_PAGE, docsAsset } from './docs-page.ts';
import { openApiDocument, SERVICE_NAME } from './document.ts';

const PROFILE = Symbol('profile');
const VERSION = version();

@Controller()
@Public()
class OpenApiController {
  readonly #profile: Profile;
  #document: string | undefined;

  constructor(@Inject(PROFILE) profile: Profile) {
    this.#profile = profile;
  }

  @Get()
  about(@Res() reply: FastifyReply): void {
    const about = {
      ...{ name: SERVICE_NAME, version: VERSION },
      ...{ documentation: './docs', openapi: './openapi.json', health: './readyz' },
    };
    void reply.type('application/json; charset=utf-8').send(`${JSON.stringify(about, null, 2)}\n`);
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
    this.#document ??= JSON.stringify(openApiDocument(VERSION, this.#profile));
    void reply.type('application/json; charset=utf-8').send(this.#document);
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
  static with({ config }: { readonly config: Pick<ServiceConfig, 'profile'> }): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: PROFILE, useValue: config.profile }],
    };
  }
}
