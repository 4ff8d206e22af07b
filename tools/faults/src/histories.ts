import { playHistory, Violation } from '@caregate/audit-log/testing';
import { flag, report } from './command.ts';

// A simulated disk loses, tears and reorders what was not synced. Each acknowledged record must be in the log, once, and the
// log must verify. The control is a disk that says it synced and did not: that must be found out.
const histories = flag('histories', 1_000_000);
const seed = flag('seed', 1);
const controls = Math.min(histories, 1000);

const totals = { acknowledged: 0, records: 0, starts: 0, calls: 0, refused: 0 };
const violations = await violationsOf(histories, false);
const found = await violationsOf(controls, true);
report(
  {
    histories,
    seed,
    'records acknowledged': totals.acknowledged,
    'starts of a process': totals.starts,
    'calls of the disk': totals.calls,
    'refused by a failing disk': totals.refused,
    violations,
    'histories without sync': controls,
    'of these found out': found,
  },
  violations === 0 && found > 0,
);

async function violationsOf(count: number, ignoresSyncs: boolean): Promise<number> {
  let violated = 0;
  const began = performance.now();
  for (let at = 0; at < count; at += 1) {
    try {
      const history = await playHistory({ seed: seed + at, ignoresSyncs });
      for (const name of Object.keys(totals) as (keyof typeof totals)[]) {
        totals[name] += ignoresSyncs ? 0 : history[name];
      }
    } catch (error) {
      if (!(error instanceof Violation)) {
        throw error;
      }
      violated += 1;
      if (!ignoresSyncs) {
        process.stdout.write(`seed ${seed + at}: ${error.message}\n`);
      }
    }
    if (process.stderr.isTTY && at % 1000 === 999) {
      const each = (performance.now() - began) / (at + 1);
      process.stderr.write(`\r${at + 1} of ${count}, ${each.toFixed(1)} ms each `);
    }
  }
  return violated;
}
