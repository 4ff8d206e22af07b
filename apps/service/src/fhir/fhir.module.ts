import {
  Controller,
  Get,
  Header,
  Inject,
  Module,
  type DynamicModule,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { capabilityStatement } from '@caregate/fhir';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import { Public } from '../access/operation.decorator.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { version } from '../config/version.ts';
import type { CursorSeal } from '../crypto/cursor-seal.ts';
import { publicUrlOf } from '../http/public-url.ts';
import { rawQuery } from '../http/raw-request.ts';
import {
  FHIR_OPERATIONS,
  FHIR_ROOT,
  fhirRow,
  type FhirName,
} from '../operations/fhir-operations.ts';
import type { OperationRow } from '../operations/operation-row.ts';
import type { PermissionTable } from '../operations/permission-table.ts';
import { PUBLIC_ROUTES } from '../operations/public-routes.ts';
import { FHIR_MEDIA_TYPE, ProblemError } from '../problem/problem-error.ts';
import { addRoute } from '../reads/operation-route.ts';
import { HealthDataSource } from '@caregate/data-store';
import { FhirCall } from './fhir-call.ts';
import { readOne } from './reads.ts';
import { searchPage } from './search-page.ts';
import { searchQuery, type SearchedType } from './search-query.ts';

export interface FhirParts {
  readonly config: Pick<ServiceConfig, 'publicUrl' | 'host'>;
  readonly permissions: PermissionTable;
  readonly access: { readonly cursorSeal: CursorSeal };
}

/** Needs the `HealthDataSource` from a global module. */
@Module({})
export class FhirModule {
  static with(parts: FhirParts): DynamicModule {
    return { module: FhirModule, controllers: [controllerOf(parts)] };
  }
}

/** Only a search may be a form, which a page of another site can send. */
export function takeSearchForms(fastify: FastifyInstance): void {
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    ({ routeOptions, headers }, body, done) => {
      const isSearch = routeOptions.url?.endsWith('/_search') === true;
      const [, charset] =
        /;\s*charset\s*=\s*"?([^\s;"]{1,40})/iu.exec(headers['content-type'] ?? '') ?? [];
      const isUtf8 = /^(?:utf-?8|us-ascii)$/iu.test(charset ?? 'utf-8');
      const detail = isUtf8 ? {} : { detail: `A form is read as UTF-8, not as ${charset}.` };
      const refusal = new ProblemError({ type: 'unsupported-media-type', ...detail });
      done(isSearch && isUtf8 ? null : refusal, body);
    },
  );
}

const STARTED = new Date().toISOString();

function controllerOf({ config, permissions, access }: FhirParts): Type {
  @Controller()
  class FhirController {
    readonly source: HealthDataSource;
    readonly #address: () => string;

    constructor(
      @Inject(HealthDataSource) source: HealthDataSource,
      @Inject(HttpAdapterHost) { httpAdapter }: HttpAdapterHost,
    ) {
      this.source = source;
      this.#address = publicUrlOf(config, () => httpAdapter.getHttpServer() as Server);
    }

    get base(): string {
      return this.#address() + FHIR_ROOT;
    }

    @Get(PUBLIC_ROUTES.fhirMetadata.path)
    @Public()
    @Header('content-type', FHIR_MEDIA_TYPE)
    metadata(): string {
      const { base } = this;
      return JSON.stringify(capabilityStatement({ base, version: version(), date: STARTED }));
    }
  }
  const addOperation = (
    name: FhirName,
    { method, path }: Pick<OperationRow, 'method' | 'path'>,
  ): void => {
    const isRead = fhirRow(name).fhir.form === 'read';
    async function handle(this: FhirController, request: FastifyRequest): Promise<string> {
      const call = new FhirCall(request, { source: this.source, permissions });
      if (isRead) {
        const [id = ''] = Object.values(request.params as Readonly<Record<string, string>>);
        return await readOne(name, call, id);
      }
      const [, , , type] = path.split('/');
      const query = searchQuery(type as SearchedType, textOf(request), isLenient(request));
      return await searchPage(call, query, { base: this.base, cursors: access.cursorSeal });
    }
    const route = { operation: name, method, path, mediaType: FHIR_MEDIA_TYPE, handle };
    addRoute(FhirController, route);
  };
  for (const name of Object.keys(FHIR_OPERATIONS) as FhirName[]) {
    const row = fhirRow(name);
    addOperation(name, row);
    if (row.also !== undefined) {
      addOperation(name, row.also);
    }
  }
  return FhirController;
}

/** Names belong in no address: they come in the body of a POST. */
function textOf(request: FastifyRequest): string {
  const { body, headers } = request;
  const isForm = /^application\/x-www-form-urlencoded\b/iu.test(headers['content-type'] ?? '');
  // A text in JSON is a text, too.
  if (body !== undefined && body !== null && !(isForm && typeof body === 'string')) {
    throw new ProblemError({ type: 'unsupported-media-type' });
  }
  return [rawQuery(request.raw.url ?? ''), body ?? ''].filter((text) => text !== '').join('&');
}

function isLenient({ headers }: FastifyRequest): boolean {
  return /(?:^|[,;\s])handling=lenient(?:$|[,;\s])/iu.test(String(headers['prefer'] ?? ''));
}
