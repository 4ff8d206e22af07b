import { Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { recordDisclosure } from '../../http/disclosure.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AccessStore } from '../access-store.ts';
import { Operation } from '../operation.decorator.ts';
import { principalOf } from '../principal.ts';
import { allOf, askOf, reviewOf, grantIdOf } from './break-glass-input.ts';
import { BreakGlassError } from './break-glass-store.ts';
import { grantJson } from './grant-json.ts';

/** Emergency access and its review queue. */
@Controller('access/break-glass')
export class BreakGlassController {
  readonly #store: AccessStore;

  constructor(@Inject(AccessStore) store: AccessStore) {
    this.#store = store;
  }

  @Post()
  @Operation('askBreakGlass')
  async ask(@Req() request: FastifyRequest): Promise<object> {
    const principal = principalOf(request);
    const asked = askOf(request.body);
    const { grantId, expires } = await this.#store.breakGlass
      .ask(principal, asked)
      .catch(asProblem);
    const userId = asked.userId.toLowerCase();
    recordDisclosure(request, {
      patients: [],
      recordCount: 1,
      breakGlassId: grantId,
      aboutUserId: userId,
    });
    return {
      break_glass_id: grantId,
      user_id: userId,
      expires_at: expires.toISOString(),
    };
  }

  @Get()
  @Operation('listBreakGlass')
  async list(@Req() request: FastifyRequest): Promise<object> {
    const { teamId } = principalOf(request);
    const all = allOf(request.query);
    const grants = await this.#store.breakGlass.list({ teamId, all });
    recordDisclosure(request, {
      patients: grants.map(({ userId }) => userId),
      recordCount: grants.length,
    });
    return { grants: grants.map(grantJson) };
  }

  @Post(':break_glass_id/review')
  @HttpCode(200)
  @Operation('reviewBreakGlass')
  async review(@Req() request: FastifyRequest): Promise<object> {
    const { teamId, keyId } = principalOf(request);
    const grantId = grantIdOf(request.params);
    const review = { ...reviewOf(request.body), teamId, by: { keyId } };
    const grant = await this.#store.breakGlass.review(grantId, review).catch(asProblem);
    recordDisclosure(request, {
      patients: [grant.userId],
      recordCount: 1,
      breakGlassId: grant.grantId,
    });
    return grantJson(grant);
  }
}

function asProblem(error: unknown): never {
  if (!(error instanceof BreakGlassError)) {
    throw error;
  }
  switch (error.reason) {
    case 'unknown':
      throw new ProblemError({ type: 'not-found' });
    case 'own':
      throw new ProblemError({ type: 'forbidden', detail: error.message });
    case 'in-force':
    case 'reviewed':
      throw new ProblemError({ type: 'conflict', detail: error.message });
  }
}
