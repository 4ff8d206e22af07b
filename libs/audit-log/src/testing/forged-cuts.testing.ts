import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signatureDetails } from '../cut/check-cut.ts';
import { approveCut, proposeCut, type CutAct } from '../cut/commands/cut-acts.ts';
import { parseTerms, signCut, termsDetails, type CutTerms } from '../cut/cut-statement.ts';
import type { Month } from '../cut/months.ts';
import { signCheckpoint, verifierKey } from '../note/checkpoint.ts';
import { approverKeys, oldLog, times, today } from './cut-journey.testing.ts';
import { MemoryLog } from './memory-log.testing.ts';

const { dana, omar, ines } = approverKeys;
export type Details = CutAct['details'];
/** Makes a false cut of a true one. */
export type Forge = (details: Details, log: MemoryLog) => Details;

/** A log up to a proposal and an approval, both recorded, and the acts of the last approval, which are not. */
export async function almostCut(until = '2018-05'): Promise<{ log: MemoryLog; cut: Details }> {
  const log = await oldLog();
  const { id, acts } = await proposeCut(log, dana, until as Month, times);
  log.act(acts, today);
  log.act((await approveCut(log, dana, id, times)).acts, today);
  const last = await approveCut(log, omar, id, times);
  return { log, cut: last.acts.at(-1)?.details ?? {} };
}

/** The same cut on other terms, signed anew by whoever would. */
export function resigned(
  log: MemoryLog,
  cut: Details,
  change: Partial<CutTerms>,
  [proposer, one, other]: readonly KeyObject[] = [dana, dana, omar],
): Details {
  const terms = { ...(parseTerms(log.origin, cut) as CutTerms), ...change };
  const sign = (role: 'proposal' | 'approval', name: string, key: KeyObject | undefined): object =>
    signatureDetails(role === 'proposal' ? 'proposed' : (name as 'approved'), {
      by: key === omar ? 'omar' : key === ines ? 'ines' : 'dana',
      at: terms.proposedAt,
      signature: signCut(terms, role, terms.proposedAt, key ?? dana),
    });
  return {
    ...cut,
    ...termsDetails(terms),
    ...sign('proposal', 'proposed', proposer),
    ...sign('approval', 'approved', one),
    ...sign('approval', 'approved_2', other),
  };
}

/** Without the parts whose names begin so. */
export function without(cut: Details, part: string): Details {
  return Object.fromEntries(Object.entries(cut).filter(([name]) => !name.startsWith(part)));
}

type Forgery = [what: string, forge: Forge, why: string];

const forgeries: readonly Forgery[] = [
  ['with nothing but its word', () => ({ before_seq: 20 }), 'it carries no proof'],
  ['without approvals', (cut) => without(cut, 'approved'), 'two approvers'],
  ['with one approval', (cut) => without(cut, 'approved_2'), 'two approvers'],
  ['without a proposal', (cut) => without(cut, 'proposed_signature'), 'two approvers'],
  [
    'approved by the same person twice',
    (cut, log) => resigned(log, cut, {}, [dana, omar, omar]),
    'it takes two approvers',
  ],
  [
    'approved by one person under two names',
    (cut, log) => ({ ...resigned(log, cut, {}, [dana, omar, omar]), approved_by: 'dana' }),
    'not signed by dana',
  ],
  [
    'approved by somebody who is not enrolled',
    (cut, log) => resigned(log, cut, {}, [dana, dana, ines]),
    'ines is no approver',
  ],
  [
    'proposed by somebody who is not enrolled',
    (cut, log) => resigned(log, cut, {}, [ines, dana, omar]),
    'ines is no approver',
  ],
  [
    'with the proposal as an approval',
    (cut) => ({ ...cut, approved_signature: cut['proposed_signature'] ?? '' }),
    'the approval is not signed by dana',
  ],
  [
    'of another log',
    (cut, log) => resigned(log, cut, { origin: 'health.example.org/audit/ffffffffffff' }),
    'the proposal is not signed by dana',
  ],
  [
    'over a checkpoint of another size',
    (cut, log) => {
      const root = Buffer.alloc(32, 7);
      const note = signCheckpoint({ origin: log.origin, size: 21, root }, log.key);
      return { ...cut, checkpoint: note };
    },
    'the proposal is not signed by dana',
  ],
  [
    'over a checkpoint of another history, though the log signed it and all agreed',
    (cut, log) => {
      const root = Buffer.alloc(32, 7);
      const checkpoint = signCheckpoint({ origin: log.origin, size: 21, root }, log.key);
      return resigned(log, cut, { checkpoint });
    },
    'its checkpoint is not one of this log',
  ],
  [
    'over a checkpoint that another key signed',
    (cut, log) => {
      const { privateKey } = generateKeyPairSync('ed25519');
      const { size, root } = { size: 34, root: Buffer.alloc(32, 7) };
      const checkpoint = signCheckpoint({ origin: log.origin, size, root }, privateKey);
      return resigned(log, cut, { checkpoint });
    },
    'its checkpoint is not signed',
  ],
  [
    'over a checkpoint that does not have its records',
    (cut, log) => {
      const small = new MemoryLog();
      small.add({}, today);
      const { origin } = log;
      const checkpoint = signCheckpoint({ origin, size: 1, root: log.node(0, 0) }, log.key);
      return resigned(log, cut, { checkpoint });
    },
    'its checkpoint is not one of this log',
  ],
  ['up to a later record', (cut) => ({ ...cut, before_seq: 21 }), 'not signed by dana'],
  ['up to a later month', (cut) => ({ ...cut, until: '2018-06' }), 'not signed by dana'],
  [
    'of records that are too young, though all agreed',
    (cut, log) => resigned(log, cut, { until: '2025-01' as Month, beforeSeq: 31 }),
    'younger than 7 years',
  ],
  [
    'with a retention below the legal one, though all agreed',
    (cut, log) => resigned(log, cut, { years: 5 }),
    'at least 6 years',
  ],
  [
    'with a clock set forward, though all agreed',
    (cut, log) =>
      resigned(log, cut, {
        until: '2025-01' as Month,
        beforeSeq: 31,
        proposedAt: '2033-01-01T00:00:00.000Z',
      }),
    'its date lies in the future',
  ],
  [
    'with an approval after the time of its proposal',
    (cut, log) => {
      const terms = parseTerms(log.origin, cut) as CutTerms;
      const at = new Date(today + 8 * 86_400_000).toISOString();
      const signature = signCut(terms, 'approval', at, omar);
      return { ...cut, ...signatureDetails('approved_2', { by: 'omar', at, signature }) };
    },
    'not approved within the time',
  ],
  [
    'that names approvers who are not enrolled',
    (cut, log) => {
      const { privateKey: own } = generateKeyPairSync('ed25519');
      const key = verifierKey('mallory', own).bytes.toString('base64');
      const approvers = `${String(cut['approvers'])}, mallory ${key} 3`;
      return resigned(log, cut, { approvers });
    },
    'does not name the approvers',
  ],
  [
    'that names legal holds that are not there',
    (cut, log) => resigned(log, cut, { holds: '0badcafe' }),
    'does not name the legal holds',
  ],
  [
    'whose proposal is not in the log',
    (cut, log) => resigned(log, cut, { proposal: 'ffffffff' }),
    'its proposal is not in the log',
  ],
];

/** False cuts of a log whose signing key the forger has, what they do, and why they are refused. */
export function forgedCuts(): readonly Forgery[] {
  return forgeries;
}
