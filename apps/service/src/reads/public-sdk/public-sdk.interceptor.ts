import { READ_OPERATIONS } from '@caregate/domain/operations';
import {
  Inject,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { Operation } from '../../access/operation.decorator.ts';
import { isRead, type OperationName } from '../../operations/operations.ts';
import { publicSdkBody } from './public-sdk-body.ts';

/** Converts the responses of the five reads to the profile `public-sdk`. */
export class PublicSdkInterceptor implements NestInterceptor {
  readonly #reflector: Reflector;

  constructor(@Inject(Reflector) reflector: Reflector) {
    this.#reflector = reflector;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = this.#reflector.get(Operation, context.getHandler()) as
      | OperationName
      | undefined;
    return next.handle().pipe(
      map((body: unknown) =>
        operation !== undefined &&
        isRead(operation) &&
        // A long answer comes as its bytes.
        (typeof body === 'string' || Buffer.isBuffer(body))
          ? publicSdkBody(READ_OPERATIONS[operation].answer, body.toString())
          : body,
      ),
    );
  }
}
