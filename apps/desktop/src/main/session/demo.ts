import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';

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
  if (file === undefined) return undefined;
  try {
    const ready = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const { base_url: address, keys, sample, identity_provider: provider } = ready;
    const client = (sample as Record<string, unknown> | null)?.['client_user_id'];
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
  } catch {
    return undefined;
  }
}

function providerOf(ready: unknown): Pick<Demo, 'provider'> {
  const { fingerprint, enrolment_code: enrolmentCode } = (ready ?? {}) as Record<string, unknown>;
  return typeof fingerprint === 'string' && typeof enrolmentCode === 'string'
    ? { provider: { fingerprint, enrolmentCode } }
    : {};
}

/** Tries until the demo's service answers. */
export async function enrolDemo(
  enrol: () => Promise<Outcome<unknown>>,
  onProblem: (kind: ProblemKind) => void,
): Promise<void> {
  for (;;) {
    const enrolled = await enrol();
    if (enrolled.ok) return;
    const { kind } = enrolled.problem;
    onProblem(kind);
    if (kind !== 'offline' && kind !== 'timeout') return;
    await sleep(1000);
  }
}
