import {
  forgeries,
  Kept,
  missed,
  seededDice,
  writeLog,
  type LeftLog,
  type VerifyExport,
} from '@caregate/audit-log/testing';
import { flag, report } from './command.ts';

// Forgeries of a stored log by somebody who can write every file and has not its key: rewriting, cutting, reordering, fake cuts,
// seals and checkpoints swapped, other logs and earlier states put in its place. All must be found by our verification, with
// and without a kept checkpoint (but for an earlier state), and by the independent verifier in an export; a start must refuse
// or name it, and never sign it.
const edits = flag('edits', 10_000);
const seed = flag('seed', 20_260_115);

const verifier = new URL('../../audit-verifier/src/verify.mjs', import.meta.url).href;
const { verifyExport } = (await import(verifier)) as { verifyExport: VerifyExport };
const other = writeLog(seed + 1).at(-1) as LeftLog;
const kept = await Kept.of(writeLog(seed), other, verifyExport);
const dice = seededDice(seed);
const names = Object.keys(forgeries);
const ways = new Set<string>();
const found = new Map<string, number>();
let forged = 0;
let exports = 0;
let unseen = 0;
for (let edit = 0; forged < edits; edit += 1) {
  const judged = await kept.judge(dice, [names[edit % names.length] as string]);
  if (judged === undefined) {
    continue;
  }
  forged += 1;
  ways.add(judged.way);
  exports += judged.isExportSame ? 0 : 1;
  const kind = judged.found?.split(':', 1)[0] ?? 'nothing';
  found.set(kind, (found.get(kind) ?? 0) + 1);
  const who = missed(judged);
  if (who !== undefined) {
    unseen += 1;
    process.stdout.write(`missed by ${who}: ${judged.way}\n`);
  }
}
report(
  {
    forgeries: forged,
    seed,
    'ways tried': ways.size,
    ...Object.fromEntries([...found].map(([kind, count]) => [`found: ${kind}`, count])),
    'also seen in an export, and found by the independent verifier': exports,
    missed: unseen,
  },
  unseen === 0 && ways.size === names.length,
);
