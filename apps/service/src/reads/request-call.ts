import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { FastifyRequest } from 'fastify';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { principalOf } from '../access/principal.ts';
import type { Disclose } from '../http/disclosure.ts';
import { decide, type PermissionTable } from '../operations/permission-table.ts';
import type {
  HealthDataSource,
  SourceCall,
  SourceName,
  SourceQuery,
  SourceResult,
} from '@caregate/data-store';
import { traceHeaders } from '../trace/request-trace.ts';

export interface CallParts {
  readonly source: HealthDataSource;
  readonly permissions: PermissionTable;
}

/** What an answer may ask of the source, for the caller of a request. */
export class RequestCall implements SourceCall {
  readonly #request: FastifyRequest;
  readonly #parts: CallParts;

  constructor(request: FastifyRequest, parts: CallParts) {
    this.#request = request;
    this.#parts = parts;
  }

  get teamId(): string {
    return principalOf(this.#request).teamId;
  }

  get sees(): 'all' | 'masked' {
    return principalOf(this.#request).sees;
  }

  get requestId(): string {
    return this.#request.id;
  }

  get traceHeaders(): Readonly<Record<string, string>> {
    const { trace } = this.#request;
    return trace === undefined ? {} : traceHeaders(trace);
  }

  /** Created on first use: the store never needs it. */
  get signal(): AbortSignal {
    return this.#request.timeout?.signal ?? this.#request.signal;
  }

  readonly pause = async (): Promise<void> => {
    await yieldToEventLoop();
    this.signal.throwIfAborted();
  };

  allows(operation: ReadName): boolean {
    return decide(this.#parts.permissions, principalOf(this.#request), operation) !== 'no';
  }

  read<Name extends SourceName>(name: Name, query: SourceQuery<Name>): Promise<SourceResult<Name>> {
    return this.#parts.source.read(name, this.teamId, query, this);
  }

  disclose(disclosure: Parameters<Disclose>[0]): void {
    this.#request.disclosure = disclosure;
  }
}
