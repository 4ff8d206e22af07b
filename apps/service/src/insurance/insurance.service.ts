import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.ts';
import { Answer } from '../common/answer.ts';
import { ProblemError } from '../problem/problem-error.ts';
import { HealthDataSource } from '@caregate/data-store';

@Injectable()
export class InsuranceService {
  constructor(private readonly data: HealthDataSource) {}

  /** @throws ProblemError 404, with the type `no-insurance` if the user exists but has no such insurance */
  async getLatestInsurance(caller: Caller, userId: string, isPrimary: boolean): Promise<Answer> {
    const query = { userId, isPrimary };
    const insurance = await this.data.getLatestInsurance(caller.teamId, query, caller);
    if (insurance === 'no-insurance') {
      const kind = isPrimary ? 'primary' : 'secondary';
      const detail = `This user has no ${kind} insurance on record.`;
      throw new ProblemError({ type: 'no-insurance', detail });
    }
    return Answer.fromStored(insurance === 'no-user' ? undefined : insurance);
  }
}
