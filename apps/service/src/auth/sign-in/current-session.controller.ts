import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import type { PinEntry, Session } from '@caregate/domain';
import { validatePinEntry } from '@caregate/domain/validate';
import { fromRequest } from '../caller.ts';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import { Operation } from '../operation.decorator.ts';
import { PinRepository } from '../repositories/pin.repository.ts';
import {
  SESSION_MS,
  sessionJson,
  SessionRepository,
  type SessionRow,
} from '../repositories/session.repository.ts';
import { pinProblem } from '../sessions/pin-rules.ts';
import { sessionProblem } from '../sessions/session-problems.ts';

export const CurrentSession = fromRequest(({ session }) => session);

@Controller('access/sessions/current')
export class CurrentSessionController {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly pins: PinRepository,
  ) {}

  @Post('renew')
  @HttpCode(200)
  @Operation('renewSession')
  async renew(@CurrentSession() session: SessionRow): Promise<Session> {
    const renewed = await this.sessions.renew(session);
    if (renewed === 'locked') {
      throw sessionProblem('session-locked');
    }
    return openSession(renewed);
  }

  @Post('lock')
  @HttpCode(204)
  @Operation('lockSession')
  async lock(@CurrentSession() session: SessionRow): Promise<void> {
    await this.sessions.lock(session);
  }

  @Post('unlock')
  @HttpCode(200)
  @Operation('unlockSession')
  async unlock(
    @CurrentSession() session: SessionRow,
    @Body({ schema: validatePinEntry }) { pin }: PinEntry,
  ): Promise<Session> {
    const result = await this.pins.unlock(session, pin);
    switch (result.kind) {
      case 'unlocked':
        return openSession(await this.sessions.current(session.session_id));
      case 'wrong':
        throw new ProblemError({ type: 'wrong-pin', triesLeft: result.triesLeft });
      case 'tried-out':
        throw new ProblemError({ type: 'pin-tried-out' });
      case 'no-pin':
        throw new ProblemError({ type: 'no-pin' });
    }
  }

  @Put('pin')
  @HttpCode(204)
  @Operation('setPin')
  async setPin(
    @CurrentSession() session: SessionRow,
    @Body({ schema: validatePinEntry }) { pin }: PinEntry,
  ): Promise<void> {
    const reason = pinProblem(pin);
    if (reason !== undefined) {
      throw invalidParameters({ parameter: 'pin', reason });
    }
    if (!this.sessions.isNew(session)) {
      const minutes = SESSION_MS / 60_000;
      const detail = `A PIN can be set within ${minutes} minutes of the sign-in. Sign in again.`;
      throw new ProblemError({ type: 'forbidden', detail });
    }
    await this.pins.set(session, pin);
  }

  @Delete()
  @HttpCode(204)
  @Operation('endSession')
  async end(@CurrentSession() session: SessionRow): Promise<void> {
    await this.sessions.end(session);
  }
}

function openSession(session: SessionRow | undefined): Session {
  if (session === undefined) {
    throw sessionProblem('session-ended');
  }
  return sessionJson(session);
}
