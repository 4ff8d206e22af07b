import { flag, report, skip } from './command.ts';
import { runRounds, type Row } from './cluster/rounds.ts';
import { runControl } from './cluster/control.ts';
import { startCluster } from './cluster/cluster.ts';
import { newInstance } from './cluster/instances.ts';
import { lookAround } from './cluster/machine.ts';
import { pace } from './cluster/patroni-node.ts';
import { makeQuestions } from './cluster/questions.ts';
import { faultsOf } from './cluster/faults.ts';
import { join } from 'node:path';

// Each acknowledged answer must have its record after every fault.
const rounds = flag('rounds', 10);
// The first row of the table that is run: the cuts alone are --from 7.
const from = flag('from', 1);
const rate = flag('rate', 100);
const machine = lookAround();
if (typeof machine === 'string') {
  skip(machine);
}
process.stdout.write(`${machine.versions}; ${JSON.stringify(pace)}\n`);

const cluster = await startCluster(machine);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    void cluster.network.remove().then(() => process.exit(130));
  });
}
try {
  const env = { DATABASE_URL: cluster.url };
  const { folder } = cluster.network;
  const data = join(folder, 'commands');
  const questions = await makeQuestions(folder, data, env);
  const instances = ['s1', 's2', 's3', 's4'].map((name, at) =>
    newInstance(cluster, name, 8081 + at),
  );
  await Promise.all(instances.map((instance) => instance.start()));
  const parts = { cluster, instances, questions, rate, data, env };
  const faults = faultsOf(cluster, instances).slice(from - 1);
  const { rows, totals } = await runRounds(parts, faults, rounds);
  process.stdout.write(`\n${table(rows)}\n\n`);
  const control = await runControl(parts);
  report(
    {
      'answers that a client has in hand': totals.acknowledged,
      'acknowledged audit records lost': totals.lost,
      'health data without a record': totals.unrecorded,
      'wrong or foreign answers': totals.wrong,
      'logs verified': totals.logs,
      'verifications that failed': totals.broken,
      'faults past their goal': rows.reduce((sum, row) => sum + row.pastGoal, 0),
      'asynchronous, instances with `replicated`: answers': control.replicated,
      'control, asynchronous: records lost of': `${control.lost} of ${control.acknowledged}`,
      'control: the verification ends with': control.verification,
    },
    totals.lost + totals.unrecorded + totals.wrong + totals.broken === 0 &&
      totals.acknowledged > 0 &&
      control.replicated === 0 &&
      control.lost > 0 &&
      control.verification !== 0,
  );
} finally {
  await cluster.network.remove();
}

function table(rows: readonly Row[]): string {
  const head = [
    'fault',
    'rounds',
    'without answers, median',
    'max',
    'goal',
    'given up',
    'records acknowledged',
    'lost',
    'wrong',
  ];
  const cells = rows.map((row) => [
    row.name,
    String(row.seconds.length),
    `${median(row.seconds).toFixed(1)} s`,
    `${Math.max(...row.seconds).toFixed(1)} s`,
    `${row.goalSeconds} s`,
    String(row.givenUp),
    String(row.acknowledged),
    String(row.lost),
    String(row.wrong),
  ]);
  return [head, head.map(() => '---'), ...cells]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}
