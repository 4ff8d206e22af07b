import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { approveCut, proposeCut } from '../cut/commands/cut-acts.ts';
import { endorseApprover, enrolApprover } from '../cut/commands/approver-acts.ts';
import type { Month } from '../cut/months.ts';
import { surveyLog } from '../cut/commands/survey.ts';
import { verifierKey } from '../note/checkpoint.ts';
import { MemoryLog } from './memory-log.testing.ts';

/** People who approve cuts, with their private keys. */
export const approverKeys = {
  dana: generateKeyPairSync('ed25519').privateKey,
  omar: generateKeyPairSync('ed25519').privateKey,
  ines: generateKeyPairSync('ed25519').privateKey,
} as const;

/** The day on which these journeys happen. */
export const today = Date.parse('2026-11-21T08:00:00Z');
export const times = { nowMs: today, years: 7 };

export async function enrol(
  log: MemoryLog,
  name: string,
  key: KeyObject,
  at: number = today,
): Promise<void> {
  log.act([enrolApprover(await surveyLog(log), verifierKey(name, key)).act], at);
}

export async function endorseBy(log: MemoryLog, name: string, key: KeyObject): Promise<void> {
  log.act([endorseApprover(await surveyLog(log), name, key).act], today);
}

/** Ten records in each month from 2018-04 to 2018-06, two of last year, and Dana and Omar enrolled: 34 records. */
export async function oldLog(log = new MemoryLog()): Promise<MemoryLog> {
  for (const month of ['2018-04', '2018-05', '2018-06']) {
    for (let day = 1; day <= 10; day += 1) {
      log.add({}, `${month}-${String(day).padStart(2, '0')}T10:00:00Z`);
    }
  }
  log.add({}, '2025-01-02');
  log.add({}, '2025-12-31');
  await enrol(log, 'dana', approverKeys.dana);
  await enrol(log, 'omar', approverKeys.omar);
  return log;
}

/** Proposed and approved by Dana, approved by Omar, recorded; nothing is erased yet. Gives the first record to keep. */
export async function agreedCut(
  log: MemoryLog,
  until: string,
  at: { readonly nowMs: number; readonly years: number } = times,
): Promise<number> {
  const { id, acts } = await proposeCut(log, approverKeys.dana, until as Month, at);
  log.act(acts, at.nowMs);
  log.act((await approveCut(log, approverKeys.dana, id, at)).acts, at.nowMs);
  const { acts: last, plan } = await approveCut(log, approverKeys.omar, id, at);
  log.act(last, at.nowMs);
  return plan.beforeSeq;
}
