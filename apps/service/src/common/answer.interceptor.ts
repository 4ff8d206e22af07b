import { Inject, Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { READ_OPERATIONS } from '@caregate/domain/operations';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { principalOf } from '../access/principal.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { CONFIG } from './tokens.ts';
import { JSON_MEDIA_TYPE } from '../http/media-types.ts';
import type { Answer } from './answer.ts';
import { publicSdkBody } from './public-sdk/public-sdk-body.ts';

/** Sends the body of an {@link Answer}, and leaves the rest of it to the audit record. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor<Answer, string> {
  constructor(@Inject(CONFIG) private readonly config: ServiceConfig) {}

  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<string> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      map(({ body, mediaType = JSON_MEDIA_TYPE, ...disclosure }) => {
        void reply.header('content-type', mediaType);
        request.disclosure = disclosure;
        return this.config.profile === 'public-sdk' ? inProfile(request, body) : body;
      }),
    );
  }
}

/** FHIR resources are the same in both profiles. */
function inProfile(request: FastifyRequest, body: string): string {
  const { operation } = principalOf(request);
  return Object.hasOwn(READ_OPERATIONS, operation)
    ? publicSdkBody(READ_OPERATIONS[operation as keyof typeof READ_OPERATIONS].answer, body)
    : body;
}
