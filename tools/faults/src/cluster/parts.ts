import type { Cluster } from './cluster.ts';
import type { Instance } from './instances.ts';
import type { Question } from './questions.ts';

/** What is put to the test, and with what. */
export interface Parts {
  readonly cluster: Cluster;
  readonly instances: readonly Instance[];
  readonly questions: readonly Question[];
  /** Questions a second. */
  readonly rate: number;
  /** Data folder of the commands, and where their database is. */
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}
