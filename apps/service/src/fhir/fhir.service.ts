import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { buildCapabilityStatement } from '@caregate/fhir';
import type { FastifyRequest } from 'fastify';
import type { Server } from 'node:http';
import { AccessStore } from '../auth/access-store.ts';
import type { Answer } from '../common/answer.ts';
import { CONFIG } from '../common/tokens.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { readVersion } from '../config/version.ts';
import { getPublicUrl } from '../http/public-url.ts';
import { getRawQuery } from '../http/raw-request.ts';
import { FHIR_ROOT } from '../operations/operations.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { HealthDataSource } from '@caregate/data-store';
import { FhirCall } from './fhir-call.ts';
import { readResource } from './reads.ts';
import { searchPage } from './search-page.ts';
import { parseSearchQuery, type SearchedType } from './search-query.ts';

const STARTED = new Date().toISOString();

@Injectable()
export class FhirService {
  readonly #publicUrl: () => string;

  constructor(
    private readonly data: HealthDataSource,
    private readonly access: AccessStore,
    @Inject(CONFIG) config: ServiceConfig,
    { httpAdapter }: HttpAdapterHost,
  ) {
    this.#publicUrl = getPublicUrl(config, () => httpAdapter.getHttpServer() as Server);
  }

  /** @throws ProblemError 403 without permission; 404 if there is no such resource */
  async read(type: SearchedType, request: FastifyRequest, id: string): Promise<Answer> {
    return await readResource(type, new FhirCall(request, this.data), id);
  }

  /** @throws ProblemError 403 without permission; 415 for a body that is not a form; 422 */
  async search(type: SearchedType, request: FastifyRequest): Promise<Answer> {
    const call = new FhirCall(request, this.data);
    const query = parseSearchQuery(type, readSearchText(request), isLenient(request));
    return await searchPage(call, query, { base: this.#base, cursors: this.access.cursorSeal });
  }

  getCapabilityStatement(): string {
    const statement = { base: this.#base, version: readVersion(), date: STARTED };
    return JSON.stringify(buildCapabilityStatement(statement));
  }

  get #base(): string {
    return this.#publicUrl() + FHIR_ROOT;
  }
}

/** Returns the parameters of the URL and of the form in the body. @throws ProblemError 415 for any other body */
function readSearchText({ body, headers, raw }: FastifyRequest): string {
  const isForm = /^application\/x-www-form-urlencoded\b/iu.test(headers['content-type'] ?? '');
  // The body of a JSON request may be a string, too.
  if (body !== undefined && body !== null && !(isForm && typeof body === 'string')) {
    throw new ProblemError({ type: 'unsupported-media-type' });
  }
  return [getRawQuery(raw.url ?? ''), body ?? ''].filter((text) => text !== '').join('&');
}

function isLenient({ headers }: FastifyRequest): boolean {
  return /(?:^|[,;\s])handling=lenient(?:$|[,;\s])/iu.test(String(headers['prefer'] ?? ''));
}
