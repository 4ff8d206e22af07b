import {
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Inject,
  Module,
  Param,
  Post,
  Req,
  Res,
  type DynamicModule,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { AccessStore } from '../../access/access-store.ts';
import { Operation } from '../../access/operation.decorator.ts';
import { PieceRecorder, type PieceParts } from '../../audit/http/piece-recorder.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { publicUrlOf } from '../../http/public-url.ts';
import { requireChunks } from '../../http/raw-request.ts';
import { FHIR_OPERATIONS } from '../../operations/fhir-operations.ts';
import { patternOf } from '../../operations/operations.ts';
import type { PermissionTable } from '../../operations/permission-table.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { HealthDataSource } from '../../source/health-data-source.ts';
import { Exports } from './exports.ts';

const { beginExport, exportStatus, endExport, exportPatients } = FHIR_OPERATIONS;

export interface ExportModuleParts extends PieceParts {
  readonly config: Pick<ServiceConfig, 'publicUrl' | 'host'>;
  readonly permissions: PermissionTable;
  readonly access: AccessStore;
}

@Controller()
class ExportController {
  readonly #exports: Exports;

  constructor(@Inject(Exports) exports: Exports) {
    this.#exports = exports;
  }

  @Get(patternOf(beginExport.path))
  @Operation('beginExport')
  @HttpCode(202)
  async begin(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    reply.header('content-location', await this.#exports.begin(request));
  }

  @Post(patternOf(beginExport.path))
  @Operation('beginExport')
  @HttpCode(202)
  async beginByPost(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.begin(request, reply);
  }

  @Get(patternOf(exportStatus.path))
  @Operation('exportStatus')
  @Header('content-type', JSON_MEDIA_TYPE)
  async status(
    @Req() request: FastifyRequest,
    @Param('export_id') exportId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { manifest, expires } = await this.#exports.status(request, exportId);
    reply.header('expires', expires.toUTCString());
    return JSON.stringify(manifest);
  }

  @Delete(patternOf(endExport.path))
  @Operation('endExport')
  @HttpCode(202)
  async end(@Req() request: FastifyRequest, @Param('export_id') exportId: string): Promise<void> {
    await this.#exports.end(request, exportId);
  }

  @Get(patternOf(exportPatients.path))
  @Operation('exportPatients')
  async file(
    @Req() request: FastifyRequest,
    @Param() { export_id: exportId = '', file = '' }: Readonly<Record<string, string>>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    requireChunks(request);
    reply.raw.once('close', this.#exports.reads(request));
    const bytes = Readable.from(await this.#exports.file(request, exportId, file));
    reply.headers({ 'content-type': 'application/fhir+ndjson', vary: 'accept-encoding' });
    if (!takesGzip(request)) {
      return bytes;
    }
    reply.header('content-encoding', 'gzip');
    // Either end ends both.
    return pipeline(bytes, createGzip({ level: constants.Z_BEST_SPEED }), () => undefined);
  }
}

@Module({})
export class ExportModule {
  static with({ config, permissions, access, ...pieces }: ExportModuleParts): DynamicModule {
    const parts = { permissions, access, recorder: new PieceRecorder(pieces) };
    return {
      module: ExportModule,
      controllers: [ExportController],
      providers: [
        {
          provide: Exports,
          useFactory: (source: HealthDataSource, { httpAdapter }: HttpAdapterHost) => {
            const address = publicUrlOf(config, () => httpAdapter.getHttpServer() as Server);
            return new Exports({ ...parts, source, address });
          },
          inject: [HealthDataSource, HttpAdapterHost],
        },
      ],
    };
  }
}

/** As JSON, of a request for an export alone. */
export function takeParameters(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser(
    'application/fhir+json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (request.routeOptions.url === patternOf(beginExport.path)) {
        void parse(request, body.toString(), done);
      } else {
        done(new ProblemError({ type: 'unsupported-media-type' }), undefined);
      }
    },
  );
}

function takesGzip({ headers }: FastifyRequest): boolean {
  return /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/iu.test(
    headers['accept-encoding'] ?? '',
  );
}
