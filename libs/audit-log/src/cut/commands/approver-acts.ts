import type { KeyObject } from 'node:crypto';
import { APPROVER_OPERATIONS } from '../../entry/log-operations.ts';
import { formatVerifierKey, type VerifierKey } from '../../note/checkpoint.ts';
import { approverName, endorse, isSameName, type Approver } from '../approvers.ts';
import { requireApprover, type CutAct } from './cut-acts.ts';
import { RetentionError } from './retention-error.ts';
import type { LogSurvey } from './survey.ts';

/**
 * Enrols an approver. Once two were in force, the record alone gives no right: two approvers endorse it.
 *
 * @throws RetentionError
 */
export function enrolApprover(
  { approvers }: LogSurvey,
  key: VerifierKey,
): { readonly act: CutAct; readonly isPending: boolean } {
  const { name } = key;
  if (!approverName.test(name)) {
    throw new RetentionError('name_taken', 'Not the public key of an approver.');
  }
  const alike = approvers.all.find((one) => one.key.bytes.equals(key.bytes));
  if (alike !== undefined) {
    const state = alike.revoked === undefined ? 'enrolled already' : 'revoked, and stays so';
    throw new RetentionError('name_taken', `This key is ${state}, as ${alike.name}.`);
  }
  if (approvers.all.some((one) => one.revoked === undefined && isSameName(one.name, name))) {
    throw new RetentionError(
      'name_taken',
      `${name} is enrolled already: revoke the old key first.`,
    );
  }
  const details = { approver: name, key: formatVerifierKey(key) };
  return {
    act: { operation: APPROVER_OPERATIONS.enrol, details },
    isPending: approvers.isClosed,
  };
}

/**
 * Endorses an approver who was enrolled, with the key of one who is in force.
 *
 * @throws RetentionError
 */
export function endorseApprover(
  survey: LogSurvey,
  name: string,
  key: KeyObject,
): { readonly act: CutAct; readonly by: string } {
  const { name: by } = requireApprover(survey, key);
  const one = requireKnown(survey, name);
  if (!one.isPending) {
    throw new RetentionError('not_needed', `${one.name} needs no endorsement.`);
  }
  if (one.endorsedBy.includes(by)) {
    throw new RetentionError('same_person', `${by} has endorsed ${one.name} already.`);
  }
  const signature = endorse(survey.origin, one.key, key);
  const details = { approver: one.name, by, signature };
  return { act: { operation: APPROVER_OPERATIONS.endorse, details }, by };
}

/** @throws RetentionError */
export function revokeApprover(survey: LogSurvey, name: string): CutAct {
  const one = requireKnown(survey, name);
  return { operation: APPROVER_OPERATIONS.revoke, details: { approver: one.name } };
}

function requireKnown({ approvers }: LogSurvey, name: string): Approver {
  const one = approvers.all.find(
    ({ name: known, revoked }) => revoked === undefined && isSameName(known, name),
  );
  if (one === undefined) {
    throw new RetentionError('not_found', `No approver ${name} is enrolled.`);
  }
  return one;
}
