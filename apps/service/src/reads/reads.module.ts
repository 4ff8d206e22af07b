import {
  Controller,
  Inject,
  Module,
  type ArgumentMetadata,
  type DynamicModule,
  type Type,
} from '@nestjs/common';
import {
  READ_OPERATIONS,
  type OperationName as ReadName,
  type ReadOperation,
} from '@caregate/domain/operations';
import type { SchemaName } from '@caregate/domain/schema';
import * as validators from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import type { ServiceConfig } from '../config/service-config.ts';
import { JSON_MEDIA_TYPE } from '../http/json-answer.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import type { Cursors } from '../operations/cursors.ts';
import { OPERATIONS } from '../operations/operations.ts';
import type { PermissionTable } from '../operations/permission-table.ts';
import type { Read, ReadCall } from '../operations/read.ts';
import { READS } from '../operations/reads.ts';
import { HealthDataSource, type SourceQuery, type SourceResult } from '@caregate/data-store';
import { addRoute } from './operation-route.ts';
import { RequestCall, type CallParts } from './request-call.ts';
import { publicSdkBody } from './public-sdk/public-sdk-body.ts';

export interface ReadsParts {
  readonly config: Pick<ServiceConfig, 'profile'>;
  readonly pageCursors: Cursors;
  readonly permissions: PermissionTable;
}

/** Needs the `HealthDataSource` from a global module. */
@Module({})
export class ReadsModule {
  static with(parts: ReadsParts): DynamicModule {
    return { module: ReadsModule, controllers: [controllerOf(parts)] };
  }
}

function controllerOf({ config, pageCursors: cursors, permissions }: ReadsParts): Type {
  @Controller()
  class ReadsController {
    readonly parts: CallParts & { readonly cursors: Cursors };

    constructor(@Inject(HealthDataSource) source: HealthDataSource) {
      this.parts = { source, cursors, permissions };
    }
  }
  const addRead = (name: ReadName): void => {
    const { params, query = 'NoQuery', body, answer }: ReadOperation = READ_OPERATIONS[name];
    const [param, queried, sent] = [
      metadata('param', params),
      metadata('query', query),
      metadata('body', body),
    ];
    async function handle(
      this: ReadsController,
      request: FastifyRequest,
    ): Promise<string | Buffer> {
      const checked = {
        params: pipe.transform(request.params, param),
        query: pipe.transform(request.query, queried),
        body: pipe.transform(request.body, sent),
      };
      const call = new ReadOfRequest(name, request, this.parts, checked);
      const text = await (READS[name] as Read<ReadName>).answer(call as ReadCall<ReadName>);
      return config.profile === 'public-sdk' ? publicSdkBody(answer, text.toString()) : text;
    }
    const { method, path } = OPERATIONS[name];
    const route = { operation: name, method, path, mediaType: JSON_MEDIA_TYPE, handle };
    addRoute(ReadsController, route);
  };
  (Object.keys(READ_OPERATIONS) as ReadName[]).forEach(addRead);
  return ReadsController;
}

const pipe = new SchemaPipe();

/** Without a schema the pipe lets the value through. */
function metadata(
  type: 'param' | 'query' | 'body',
  name: SchemaName | undefined,
): ArgumentMetadata {
  return name === undefined ? { type } : { type, schema: validators[`validate${name}`] };
}

/** Of one operation. */
class ReadOfRequest<Name extends ReadName>
  extends RequestCall
  implements Omit<ReadCall<Name>, 'params' | 'query' | 'body'>
{
  readonly cursors: Cursors;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly #name: Name;

  constructor(
    name: Name,
    request: FastifyRequest,
    { cursors, ...parts }: CallParts & { readonly cursors: Cursors },
    checked: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
  ) {
    super(request, parts);
    this.#name = name;
    this.cursors = cursors;
    this.params = checked.params;
    this.query = checked.query;
    this.body = checked.body;
  }

  find(query: SourceQuery<Name>): Promise<SourceResult<Name>> {
    return this.read(this.#name, query);
  }
}
