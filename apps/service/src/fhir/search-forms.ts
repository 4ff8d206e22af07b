import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem/problem-error.ts';

/** Accepts forms as the body of searches only, since any page in a browser can send one without the consent of CORS. */
export function acceptSearchForms(fastify: FastifyInstance): void {
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
