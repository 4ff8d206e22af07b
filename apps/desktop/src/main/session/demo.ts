import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoStaff } from '../../shared/app-state.ts';
import { demoStaffSchema } from '../../shared/app-state.ts';
import { UNREACHED } from '../../shared/problem.ts';
import type { Outcome, ProblemKind } from '../../shared/problem.ts';
import { array, fields } from '../../shared/schema.ts';
import { readJson } from '../files/whole-file.ts';

/** The PIN of the demo's made-up staff, set when they first sign in. */
export const DEMO_PIN = '493827';

export interface Demo {
  readonly address: string;
  readonly staff: readonly DemoStaff[];
  readonly enrolmentCode: string;
}

/** Reads the file of `caregate demo --ready-file`; undefined unless people can sign in there. */
export function readDemo(file: string | undefined): Demo | undefined {
  const ready = file === undefined ? undefined : readJson(file);
  const { base_url: address, identity_provider: provider } = Object(ready) as Record<
    string,
    unknown
  >;
  const { people, enrolment_code: enrolmentCode } = Object(provider) as Record<string, unknown>;
  const staff = array(fields(demoStaffSchema), 20)(people);
  if (typeof address !== 'string' || typeof enrolmentCode !== 'string' || !staff.ok) {
    return undefined;
  }
  return {
    address,
    enrolmentCode,
    staff: staff.value.map(({ subject, name, role }) => ({ subject, name, role })),
  };
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
