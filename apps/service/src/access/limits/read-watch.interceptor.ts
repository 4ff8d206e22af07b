import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { tap, type Observable } from 'rxjs';
import type { Disclosure } from '../../http/disclosure.ts';
import { OPERATIONS } from '../../operations/operations.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { ReadWatch } from './read-watch.ts';

/** Reports each permitted read to the watch. */
@Injectable()
export class ReadWatchInterceptor implements NestInterceptor {
  readonly #watch: ReadWatch;

  constructor(@Inject(ReadWatch) watch: ReadWatch) {
    this.#watch = watch;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { principal } = request;
    if (principal === undefined) {
      return next.handle();
    }
    return next.handle().pipe(
      tap({
        complete: () => {
          this.#watch.read(principal, recordsIn(request.disclosure));
        },
        error: (error: unknown) => {
          if (
            OPERATIONS[principal.operation].subject === 'client_user_id' &&
            error instanceof ProblemError &&
            error.problem.type === 'not-found'
          ) {
            this.#watch.resolveMissed(principal);
          }
        },
      }),
    );
  }
}

/** Number of patients in the response; a response without a disclosure counts as one. */
function recordsIn(disclosure: Disclosure | undefined): number {
  return disclosure === undefined
    ? 1
    : disclosure.patients.length + (disclosure.unnamedPatients ?? 0);
}
