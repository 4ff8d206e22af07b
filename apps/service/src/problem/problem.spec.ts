import { describe, expect, it } from '@jest/globals';
import { NotFoundException, PayloadTooLargeException } from '@nestjs/common';
import { validateProblemDetails } from '@caregate/domain/validate';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, startSpecService } from '../testing/service.testing.ts';
import { describeErrorForLog, ProblemError, formatProblem, toProblem } from './problem-error.ts';
import { PROBLEMS, type ProblemType } from './problems.ts';

const requestId = '0b1f6a3e-1c1b-4f0e-9d52-5a0f7e1c2d3b';

const service = await startSpecService([]);

describe('the type of a problem', () => {
  it.each(Object.keys(PROBLEMS) as ProblemType[])(
    'has the shape of the domain, and leads to a page that says what to do: %s',
    async (type) => {
      const document = JSON.parse(formatProblem({ type }, requestId)) as { type: string };
      expect(validateProblemDetails(document)).toMatchObject({ ok: true });
      expect(document).toMatchObject({ type: `/problems/${type}`, request_id: requestId });
      const answer = await service.get(new URL(document.type, 'http://any.example').pathname);
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      const { title, status } = PROBLEMS[type];
      expect(answer.body).toContain(`<h1>${title}</h1>`);
      expect(answer.body).toContain(`<strong>${status}</strong>`);
      expect(answer.body).toContain(`<code>${document.type}</code>`);
      const paragraphs =
        /<h2>What it means<\/h2>\s*<p>([^<]{40,})<\/p>\s*<h2>What to do<\/h2>\s*<p>([^<]{40,})<\/p>/u;
      expect(answer.body).toMatch(paragraphs);
      // The page is well-formed, and has nothing that the content security policy blocks.
      expect(answer.body).not.toMatch(/&(?!\w+;)|<script|<style| style=| on\w+=/u);
      for (const [, link = ''] of answer.body.matchAll(/(?:href|src)="([^"]+)"/gu)) {
        const { pathname } = new URL(link, `http://any.example${document.type}`);
        expect([link, (await service.get(pathname)).status]).toEqual([link, 200]);
      }
    },
  );
});

describe('making a problem of an error', () => {
  it.each([
    ['a problem', new ProblemError({ type: 'forbidden' }), 403],
    ['an exception of Nest', new NotFoundException('Cannot GET /secret'), 404],
    ['a body too large', new PayloadTooLargeException(), 413],
    ['an error of Fastify', Object.assign(new Error('secret'), { statusCode: 415 }), 415],
    ['a status without a type', Object.assign(new Error('secret'), { statusCode: 418 }), 400],
    ['a strange status', Object.assign(new Error('secret'), { statusCode: 599 }), 500],
    ['an unknown error', new Error('secret'), 500],
    ['a text', 'secret', 500],
    ['nothing', undefined, 500],
  ])('keeps the status and no word of it: %s', (_what, error, status) => {
    const problem = toProblem(error);
    expect(problem.status).toBe(status);
    expect(formatProblem(problem.problem, requestId)).not.toMatch(/secret/i);
  });

  it('leaves for the log where it happened, without the message, causes included', () => {
    const cause = Object.assign(new Error('secret\n    secret two'), { code: 'SQLITE_BUSY' });
    const logged = describeErrorForLog(new TypeError('secret\nthree secret', { cause }));
    expect(logged).toMatchObject({
      name: 'TypeError',
      cause: { name: 'Error', code: 'SQLITE_BUSY' },
    });
    expect(JSON.stringify(logged)).not.toContain('secret');
    expect(JSON.stringify(logged)).toContain('problem.spec.ts');
  });
});

it('a source that fails is an opaque 500 whose request ID leads to the log', async () => {
  const failing = await testService(sampleEnvelopes({ users: 1 }), {
    source: { findUserByClientId: () => Promise.reject(new Error('CANARY of a row')) },
  });
  const key = await failing.key(sampleTeamId);
  const { clientUserId } = personas.amara;
  const answer = await failing.get(`/v2/user/resolve/${clientUserId}`, key);
  const requestId = answer.headers['x-request-id'];
  expect(answer.json()).toEqual({
    ...{ type: '/problems/internal', title: 'Internal server error', status: 500 },
    ...{ detail: PROBLEMS.internal.detail, request_id: requestId },
  });
  expect(failing.log.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      ...{ msg: 'request failed', request_id: requestId },
      route: '/v2/user/resolve/:client_user_id',
    }),
  );
  expect(failing.log.join('')).not.toMatch(new RegExp(`CANARY|${clientUserId}|${key}`, 'u'));
  await failing.close();
});
