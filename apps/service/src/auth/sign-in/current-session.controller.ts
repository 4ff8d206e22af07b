import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import type { PinEntry, Session } from '@caregate/domain';
import { validatePinEntry } from '@caregate/domain/validate';
import { AccessStore } from '../access-store.ts';
import { createRequestDecorator } from '../caller.ts';
import { createInvalidParameterError, ProblemError } from '../../problem/problem-error.ts';
import { Operation } from '../operation.decorator.ts';
import { SESSION_MS, toSessionJson, type SessionRow } from '../repositories/session.repository.ts';
import { findPinProblem } from '../sessions/pin-rules.ts';
import { createSessionProblem } from '../sessions/session-problems.ts';

export const CurrentSession = createRequestDecorator(({ session }) => session);

@Controller('access/sessions/current')
export class CurrentSessionController {
  constructor(private readonly access: AccessStore) {}

  @Post('renew')
  @HttpCode(200)
  @Operation('renewSession')
  async renew(@CurrentSession() session: SessionRow): Promise<Session> {
    const renewed = await this.access.sessions.renew(session);
    if (renewed === 'locked') {
      throw createSessionProblem('session-locked');
    }
    return requireOpenSession(renewed);
  }

  @Post('lock')
  @HttpCode(204)
  @Operation('lockSession')
  async lock(@CurrentSession() session: SessionRow): Promise<void> {
    await this.access.sessions.lock(session);
  }

  @Post('unlock')
  @HttpCode(200)
  @Operation('unlockSession')
  async unlock(
    @CurrentSession() session: SessionRow,
    @Body({ schema: validatePinEntry }) { pin }: PinEntry,
  ): Promise<Session> {
    const result = await this.access.pins.unlock(session, pin);
    switch (result.kind) {
      case 'unlocked':
        return requireOpenSession(await this.access.sessions.findOpen(session.session_id));
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
    const reason = findPinProblem(pin);
    if (reason !== undefined) {
      throw createInvalidParameterError({ parameter: 'pin', reason });
    }
    if (!this.access.sessions.isNew(session)) {
      const minutes = SESSION_MS / 60_000;
      const detail = `A PIN can be set within ${minutes} minutes of the sign-in. Sign in again.`;
      throw new ProblemError({ type: 'forbidden', detail });
    }
    await this.access.pins.set(session, pin);
  }

  @Delete()
  @HttpCode(204)
  @Operation('endSession')
  async end(@CurrentSession() session: SessionRow): Promise<void> {
    await this.access.sessions.end(session);
  }
}

function requireOpenSession(session: SessionRow | undefined): Session {
  if (session === undefined) {
    throw createSessionProblem('session-ended');
  }
  return toSessionJson(session);
}
