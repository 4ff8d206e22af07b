import { Body, Controller, Get, Header, HttpCode, Post, Req } from '@nestjs/common';
import type {
  BadgeHolder,
  BadgeRead,
  DeskEnrolment,
  DeskKeyOffer,
  EnrolledDesk,
  Session,
  SessionRequest,
  SignInInfo,
} from '@caregate/domain';
import {
  validateBadgeRead,
  validateDeskEnrolment,
  validateDeskKeyOffer,
  validateSessionRequest,
} from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { JSON_MEDIA_TYPE } from '../../http/media-types.ts';
import { orNotFound, ProblemError } from '../../problem/problem-error.ts';
import { AccessStore } from '../access-store.ts';
import { Public } from '../operation.decorator.ts';
import { RuleError } from '../rules.ts';
import { SessionGate } from '../sessions/session-gate.ts';
import { asProblem } from '../sessions/session-problems.ts';
import { sessionJson } from '../sessions/session-store.ts';
import { SignIn } from './sign-in.ts';

/** Before anybody has signed in; reveals nothing about patients. */
@Controller('access')
export class SignInController {
  constructor(
    private readonly store: AccessStore,
    private readonly signIn: SignIn,
    private readonly gate: SessionGate,
  ) {}

  @Get('sign-in')
  @Public('signInInfo')
  @Header('content-type', JSON_MEDIA_TYPE)
  info(): SignInInfo {
    return this.signIn.info;
  }

  @Post('desks')
  @Public('enrolDesk')
  async enrol(
    @Req() request: FastifyRequest,
    @Body({ schema: validateDeskEnrolment }) { code, name }: DeskEnrolment,
  ): Promise<EnrolledDesk> {
    const key = this.gate.keyOf(request);
    const desk = await this.store.desks.enrol({ code, name, key }).catch(asProblem);
    if (desk === undefined) {
      throw new ProblemError({ type: 'enrolment-refused' });
    }
    return {
      desk_id: desk.desk_id,
      name: desk.name,
      team_id: desk.team_id,
      clinic_name: this.signIn.info.clinic_name ?? null,
    };
  }

  @Post('desks/key')
  @Public('offerDeskKey')
  @HttpCode(204)
  async offerKey(
    @Req() request: FastifyRequest,
    @Body({ schema: validateDeskKeyOffer }) body: DeskKeyOffer,
  ): Promise<void> {
    const keys = await this.gate.offeredKey(request, body);
    await this.store.desks.offerKey(body.desk_id, keys).catch((error: unknown) => {
      throw error instanceof RuleError
        ? new ProblemError({ type: 'conflict', detail: error.message })
        : error;
    });
  }

  @Post('sessions')
  @Public('beginSession')
  async begin(
    @Req() request: FastifyRequest,
    @Body({ schema: validateSessionRequest }) body: SessionRequest,
  ): Promise<Session> {
    const desk = await this.gate.deskOf(request, body.desk_id);
    const presented = { idToken: body.id_token, nonceRandom: body.nonce_random };
    const { token, session } = await this.signIn.withIdToken(desk, presented).catch(asProblem);
    return sessionJson(session, await this.store.pins.isSet(session.staff_id), token);
  }

  @Post('badges')
  @Public('readBadge')
  @HttpCode(200)
  async badge(
    @Req() request: FastifyRequest,
    @Body({ schema: validateBadgeRead }) { desk_id: deskId, badge }: BadgeRead,
  ): Promise<BadgeHolder> {
    const desk = await this.gate.deskOf(request, deskId);
    const holder = orNotFound(await this.store.sessions.holderOf(badge, desk.desk_id));
    return { staff_id: holder.staffId, name: holder.name };
  }
}
