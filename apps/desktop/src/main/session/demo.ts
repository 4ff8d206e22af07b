import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome, ProblemKind } from '../../bridge/problem.ts';

/** The demo service that was started together with the desktop. Its keys stay in main. */
export interface Demo {
  readonly address: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly sampleClientUserId: string;
  /** Of the identity provider that was started with it. */
  readonly provider?: {
    /** `sha256/<base64>` of its certificate. */
    readonly fingerprint: string;
    /** Makes the service know this desk. */
    readonly enrolmentCode: string;
  };
}

/** Reads what `caregate demo --ready-file` wrote; undefined where it isn't that. */
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

/** Enrols the demo's desk, however late its service answers; tells why not. */
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
