import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { DemoStaff } from '../../shared/app-state.ts';
import { UNREACHABLE_KINDS, type Outcome, type ProblemKind } from '../../shared/problem.ts';
import { list, text } from '../../shared/schema.ts';
import { readJson } from '../files/atomic-file.ts';

/** The PIN of the demo's fictional users, which is set at their first sign-in. */
export const DEMO_PIN = '493827';

const demoSchema = v.object({
  base_url: v.string(),
  identity_provider: v.object({
    enrolment_code: v.string(),
    people: list(v.object({ subject: text(1, 64), name: text(1, 200), role: text(1, 40) }), 20),
  }),
});

export interface Demo {
  readonly address: string;
  readonly staff: readonly DemoStaff[];
  readonly enrolmentCode: string;
}

/** Reads the file that `caregate demo --ready-file` writes. Returns undefined unless users can sign in to that demo. */
export function readDemo(file: string | undefined): Demo | undefined {
  const ready = v.safeParse(demoSchema, file === undefined ? undefined : readJson(file));
  if (!ready.success) return undefined;
  const { base_url: address, identity_provider: provider } = ready.output;
  return { address, staff: provider.people, enrolmentCode: provider.enrolment_code };
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
    if (!UNREACHABLE_KINDS.includes(kind)) return;
    await sleep(1000);
  }
}
