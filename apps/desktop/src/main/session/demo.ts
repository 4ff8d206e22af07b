import { setTimeout as sleep } from 'node:timers/promises';
import { UNREACHED } from '../../bridge/problem.ts';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';
import { readJson } from '../files/whole-file.ts';

export interface Demo {
  readonly address: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly sampleClientUserId: string;
  readonly provider?: {
    /** `sha256/<base64>` */
    readonly fingerprint: string;
    readonly enrolmentCode: string;
  };
}

/** The file of `caregate demo --ready-file`; undefined if it is anything else. */
export function readDemo(file: string | undefined): Demo | undefined {
  const ready = file === undefined ? undefined : readJson(file);
  const {
    base_url: address,
    keys,
    sample,
    identity_provider: provider,
  } = Object(ready) as Record<string, unknown>;
  const client = (sample as Record<string, unknown> | null | undefined)?.['client_user_id'];
  if (typeof address !== 'string' || typeof client !== 'string') return undefined;
  if (typeof keys !== 'object' || keys === null) return undefined;
  const texts = Object.entries(keys as Record<string, unknown>).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    address,
    keys: Object.fromEntries(texts),
    sampleClientUserId: client,
    ...providerOf(provider),
  };
}

function providerOf(ready: unknown): Pick<Demo, 'provider'> {
  const { fingerprint, enrolment_code: enrolmentCode } = (ready ?? {}) as Record<string, unknown>;
  return typeof fingerprint === 'string' && typeof enrolmentCode === 'string'
    ? { provider: { fingerprint, enrolmentCode } }
    : {};
}

export async function enrolDemo(
  enrol: () => Promise<Outcome<unknown>>,
  onProblem: (kind: ProblemKind) => void,
): Promise<void> {
  for (;;) {
    const enrolled = await enrol();
    if (enrolled.ok) return;
    const { kind } = enrolled.problem;
    onProblem(kind);
    if (!UNREACHED.includes(kind)) return;
    await sleep(1000);
  }
}
