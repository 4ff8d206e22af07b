import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
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
import { AccessStore } from '../access-store.ts';
import { CurrentDisclosure, type Disclose } from '../../common/answer.ts';
import { createInvalidParameterError, ProblemError } from '../../problem/problem-error.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../caller.ts';
import { Operation } from '../operation.decorator.ts';
import { BreakGlassError } from './break-glass-error.ts';
import { toGrantJson } from './grant-json.ts';
import type { SessionRow } from '../repositories/session.repository.ts';
import { CurrentSession } from '../sign-in/current-session.controller.ts';
import { SignIn } from '../sign-in/sign-in.ts';

@Controller('access/break-glass')
export class BreakGlassController {
  constructor(
    private readonly access: AccessStore,
    private readonly signIn: SignIn,
  ) {}

  @Post()
  @Operation('askBreakGlass')
  async ask(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @CurrentSession() session: SessionRow | undefined,
    @Body({ schema: validateBreakGlassRequest }) body: BreakGlassRequest,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<BreakGlassGranted> {
    if (session !== undefined) {
      await this.#requireNewSignIn(session, body);
    }
    const userId = body.user_id.toLowerCase();
    const requested = { reasonCode: body.reason_code, text: body.text.trim(), userId };
    const { grantId, expires, isRepeated } = await this.access.breakGlass
      .ask(principal, requested)
      .catch(throwGrantProblem);
    disclose({
      ...{ patients: [], recordCount: 1, breakGlassId: grantId, aboutUserId: userId },
      // This response has the only record of a repeated request, since it creates no new grant.
      ...(isRepeated && { details: { grant: 'in_force' } }),
    });
    return { break_glass_id: grantId, user_id: userId, expires_at: expires.toISOString() };
  }

  @Get()
  @Operation('listBreakGlass')
  async list(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Query({ schema: validateBreakGlassListQuery }) { state, cursor }: BreakGlassListQuery,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<BreakGlassGrantList> {
    const which = { teamId, all: state === 'all', after: cursor };
    const page = await this.access.breakGlass.readPage(which);
    if (page === undefined) {
      throw createInvalidParameterError({
        parameter: 'cursor',
        reason: 'is not a cursor of this list',
      });
    }
    const { grants, next } = page;
    disclose({ patients: grants.map(({ user_id }) => user_id), recordCount: grants.length });
    const actors = grants.map(({ reviewed_by }) => reviewed_by);
    const names = await this.access.names.findNames(teamId, { actors, desks: [], grants: [] });
    return {
      grants: grants.map((grant) => toGrantJson(grant, names.actors.get(grant.reviewed_by ?? ''))),
      next_cursor: next ?? null,
    };
  }

  @Post(':break_glass_id/review')
  @HttpCode(200)
  @Operation('reviewBreakGlass')
  async review(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @Param({ schema: validateBreakGlassParams }) { break_glass_id }: BreakGlassParams,
    @Body({ schema: validateBreakGlassReview }) { outcome, note }: BreakGlassReview,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<BreakGlassGrant> {
    const grant = await this.access.breakGlass
      .review(break_glass_id, { outcome, note, teamId: principal.teamId, by: principal })
      .catch(throwGrantProblem);
    disclose({ patients: [grant.user_id], recordCount: 1, breakGlassId: grant.grant_id });
    return toGrantJson(grant);
  }

  @Delete(':break_glass_id')
  @HttpCode(204)
  @Operation('endBreakGlass')
  async end(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @Param({ schema: validateBreakGlassParams }) { break_glass_id: grantId }: BreakGlassParams,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<void> {
    await this.access.breakGlass.end(principal, grantId).catch(throwGrantProblem);
    disclose({ patients: [], recordCount: 0, breakGlassId: grantId.toLowerCase() });
  }

  /** Requires a new sign-in at the identity provider, since the desk may have been left unattended. */
  async #requireNewSignIn(
    session: SessionRow,
    { id_token, nonce_random }: BreakGlassRequest,
  ): Promise<void> {
    if (id_token === undefined || nonce_random === undefined) {
      const missing = Object.entries({ id_token, nonce_random }).filter(([, value]) => !value);
      const reason = 'is required: sign in again at the identity provider';
      throw createInvalidParameterError(...missing.map(([parameter]) => ({ parameter, reason })));
    }
    await this.signIn.repeat(session, { id_token, nonce_random });
  }
}

const PROBLEM_TYPES = {
  unknown: 'not-found',
  own: 'forbidden',
  'too-many': 'too-many-requests',
  'in-force': 'conflict',
  reviewed: 'conflict',
} as const;

function throwGrantProblem(error: unknown): never {
  if (!(error instanceof BreakGlassError)) {
    throw error;
  }
  const { reason, message: detail } = error;
  throw new ProblemError({
    type: PROBLEM_TYPES[reason],
    ...(reason !== 'unknown' && { detail }),
    ...(reason === 'too-many' && { headers: { 'retry-after': '60' } }),
  });
}
