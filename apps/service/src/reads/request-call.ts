import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { FastifyRequest } from 'fastify';
import { loopMeter } from '../access/limits/loop-meter.ts';
import { principalOf } from '../access/principal.ts';
import type { Disclose } from '../http/disclosure.ts';
import type { Cursors } from '../operations/cursors.ts';
import { decide, type PermissionTable } from '../operations/permission-table.ts';
import type { ReadCall } from '../operations/read.ts';
import type { HealthDataSource, SourceQuery, SourceResult } from '../source/health-data-source.ts';
import { traceHeaders } from '../trace/request-trace.ts';

export interface CallParts {
  readonly source: HealthDataSource;
  readonly cursors: Cursors;
  readonly permissions: PermissionTable;
}

/** A request that the guard has allowed, as an operation and its source see it. */
export class RequestCall<Name extends ReadName> implements Omit<
  ReadCall<Name>,
  'params' | 'query' | 'body'
> {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly #name: Name;
  readonly #request: FastifyRequest;
  readonly #parts: CallParts;

  constructor(
    name: Name,
    request: FastifyRequest,
    parts: CallParts,
    checked: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
  ) {
    this.#name = name;
    this.#request = request;
    this.#parts = parts;
    this.params = checked.params;
    this.query = checked.query;
    this.body = checked.body;
  }

  get teamId(): string {
    return principalOf(this.#request).teamId;
  }

  get sees(): 'all' | 'masked' {
    return principalOf(this.#request).sees;
  }

  get cursors(): Cursors {
    return this.#parts.cursors;
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
    return this.#request.deadline?.signal ?? this.#request.signal;
  }

  allows(operation: ReadName): boolean {
    return decide(this.#parts.permissions, principalOf(this.#request), operation) !== 'no';
  }

  find(query: SourceQuery<Name>): Promise<SourceResult<Name>> {
    return loopMeter.through(this.#parts.source.read(this.#name, this.teamId, query, this));
  }

  disclose(disclosure: Parameters<Disclose>[0]): void {
    this.#request.disclosure = disclosure;
  }
}
