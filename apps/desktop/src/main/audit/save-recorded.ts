import { succeed, type Outcome, type Problem } from '../../shared/problem.ts';
import type { DeskAction } from './desk-recorder.ts';

interface SaveParts<C> {
  /** Returns false if the user cancelled, and rejects if `make` rejects. */
  readonly save: (name: string, make: () => Promise<C>) => Promise<boolean>;
  readonly record: (action: DeskAction) => Promise<Problem | undefined>;
  /** Returns whether the desk has stayed unlocked. */
  readonly isOpen: () => boolean;
}

/**
 * Records the save after the user has chosen a file and before anything is written. The file is written completely or
 * not at all.
 */
export async function saveRecorded<C>(
  // Other programs can see file names, so a file name never names a patient.
  { name, content }: { readonly name: string; readonly content: () => C },
  action: DeskAction,
  { save, record, isOpen }: SaveParts<C>,
): Promise<Outcome<{ saved: boolean }>> {
  let problem: Problem | undefined;
  const make = async (): Promise<C> => {
    problem = isOpen() ? await record(action) : undefined;
    if (problem === undefined && !isOpen()) problem = { kind: 'locked' };
    if (problem !== undefined) throw new Error(problem.kind);
    return content();
  };
  try {
    return succeed({ saved: await save(name, make) });
  } catch (error) {
    if (problem !== undefined) return { ok: false, problem };
    throw error;
  }
}
