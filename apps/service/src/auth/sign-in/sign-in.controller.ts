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
import { AccessStore } from '../access-store.ts';
import { JSON_MEDIA_TYPE } from '../../common/answer.ts';
import { requireFound, ProblemError } from '../../problem/problem-error.ts';
import { Public } from '../operation.decorator.ts';
import { toSessionJson } from '../repositories/session.repository.ts';
import { RuleError } from '../rules.ts';
import { SessionGate } from '../sessions/session-gate.ts';
import { SignIn } from './sign-in.ts';

/** Routes for desks before a user signs in. They reveal nothing about patients. */
@Controller('access')
export class SignInController {
  constructor(
    private readonly access: AccessStore,
    private readonly signIn: SignIn,
    private readonly gate: SessionGate,
  ) {}

  @Get('sign-in')
  @Public('signInInfo')
  @Header('content-type', JSON_MEDIA_TYPE)
  getInfo(): SignInInfo {
    return this.signIn.info;
  }

  @Post('desks')
  @Public('enrolDesk')
  async enrol(
    @Req() request: FastifyRequest,
    @Body({ schema: validateDeskEnrolment }) { code, name }: DeskEnrolment,
  ): Promise<EnrolledDesk> {
    const key = await this.gate.checkNewDesk(request);
    const desk = await this.access.desks.enrol({ code, name, key });
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
    const keys = await this.gate.checkOfferedKey(request, body);
    await this.access.desks.offerKey(body.desk_id, keys).catch((error: unknown) => {
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
    const desk = await this.gate.requireDesk(request, body.desk_id);
    const { token, session } = await this.signIn.begin(desk, body);
    return toSessionJson(session, token);
  }

  @Post('badges')
  @Public('readBadge')
  @HttpCode(200)
  async readBadge(
    @Req() request: FastifyRequest,
    @Body({ schema: validateBadgeRead }) { desk_id: deskId, badge }: BadgeRead,
  ): Promise<BadgeHolder> {
    const desk = await this.gate.requireDesk(request, deskId);
    return requireFound(await this.access.sessions.findBadgeHolder(badge, desk.desk_id));
  }
}
