import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type {
  BreakGlassGrant,
  BreakGlassGranted,
  BreakGlassGrantList,
  BreakGlassListQuery,
  BreakGlassParams,
  BreakGlassRequest,
  BreakGlassReview,
} from '@caregate/domain';
import {
  validateBreakGlassListQuery,
  validateBreakGlassParams,
  validateBreakGlassRequest,
  validateBreakGlassReview,
} from '@caregate/domain/validate';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { AccessStore } from '../access-store.ts';
import { Operation } from '../operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../principal.ts';
import { BreakGlassError } from '../break-glass-store.ts';
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
  async ask(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @Body({ schema: validateBreakGlassRequest }) body: BreakGlassRequest,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<BreakGlassGranted> {
    const userId = body.user_id.toLowerCase();
    const asked = { reasonCode: body.reason_code, text: body.text.trim(), userId };
    const { grantId, expires } = await this.#store.breakGlass
      .ask(principal, asked)
      .catch(asProblem);
    disclose({ patients: [], recordCount: 1, breakGlassId: grantId, aboutUserId: userId });
    return { break_glass_id: grantId, user_id: userId, expires_at: expires.toISOString() };
  }

  @Get()
  @Operation('listBreakGlass')
  async list(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateBreakGlassListQuery }) { state }: BreakGlassListQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<BreakGlassGrantList> {
    const grants = await this.#store.breakGlass.list({ teamId, all: state === 'all' });
    disclose({ patients: grants.map(({ userId }) => userId), recordCount: grants.length });
    return { grants: grants.map(grantJson) };
  }

  @Post(':break_glass_id/review')
  @HttpCode(200)
  @Operation('reviewBreakGlass')
  async review(
    @CurrentPrincipal() { teamId, keyId, role }: AllowedPrincipal,
    @Param({ schema: validateBreakGlassParams }) { break_glass_id }: BreakGlassParams,
    @Body({ schema: validateBreakGlassReview }) { outcome, note }: BreakGlassReview,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<BreakGlassGrant> {
    const grant = await this.#store.breakGlass
      .review(break_glass_id, { outcome, note, teamId, by: { keyId, role } })
      .catch(asProblem);
    disclose({ patients: [grant.userId], recordCount: 1, breakGlassId: grant.grantId });
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
