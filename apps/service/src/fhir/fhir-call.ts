import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { FastifyRequest } from 'fastify';
import { Caller } from '../auth/caller.ts';
import { ProblemError } from '../problem/problem-error.ts';
import type { DatedRecords, HealthDataSource, PersonRecord } from '@caregate/data-store';

/** A request to `/fhir/r4`. What it reads is subject to the permissions of the corresponding reads. */
export class FhirCall extends Caller {
  constructor(
    request: FastifyRequest,
    readonly source: HealthDataSource,
  ) {
    super(request);
  }

  /** @throws ProblemError 403 unless the caller may use all of these reads */
  demand(...reads: readonly ReadName[]): void {
    if (reads.length === 0 || !reads.every((read) => this.allows(read))) {
      throw new ProblemError({ type: 'forbidden' });
    }
  }

  /** Callers who may list people, but not read a person's info, see people masked. */
  get isMasked(): boolean {
    return this.sees === 'masked' || !this.allows('userInfo');
  }

  /** Emergency access permits every read of the patient whom the guard has found in the request. */
  override allows(read: ReadName): boolean {
    return this.principal.breakGlassId !== undefined || super.allows(read);
  }

  get records(): DatedRecords {
    return this.source.getRecords(this.teamId);
  }

  /** Returns the people with these IDs, without those that don't exist. */
  async findPeople(ids: Iterable<string>): Promise<ReadonlyMap<string, PersonRecord>> {
    const found = await this.records.listPeople([...new Set(ids)]);
    return new Map(found.map((person) => [person.userId, person]));
  }

  /** Checks that the caller may search by name: as staff at a desk, or with a scope. @throws ProblemError 403 */
  demandNames(): void {
    const { role, scopes } = this.principal;
    const isAllowed =
      role === 'integration' ? scopes.includes('users:search') : this.allows('searchPeople');
    if (!isAllowed) {
      throw new ProblemError({ type: 'forbidden' });
    }
  }
}
