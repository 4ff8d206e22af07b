import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  flag,
  openAuditLog,
  parseVerifierKey,
  part,
  report,
  verifyLog,
  workFolder,
} from './audit-parts.ts';

// Random edits, deletions, reorderings, insertions, cuts, forks and re-hashings of a stored log by someone with every
// right over it, its key included: all must be found, given one checkpoint that was kept elsewhere.
interface Tampering {
  readonly seededDice: (seed: number) => (below: number) => number;
  readonly tamper: (
    forger: { db: DatabaseSync; dice: (below: number) => number; key: unknown },
    verify: () => unknown,
  ) => { way: string; found: unknown };
}
const { seededDice, tamper } = (await part('tampering.testing.ts')) as Tampering;
const { loadKey } = (await part('log/audit-key.ts')) as { loadKey: (file: string) => unknown };
const { auditEntry, userIds } = (await part('audit.testing.ts')) as {
  auditEntry: (changes: object) => unknown;
  userIds: readonly string[];
};

const edits = flag('edits', 10_000);
const seed = flag('seed', 20_260_115);
const records = flag('records', 100);
const folder = workFolder();
const log = await openAuditLog(folder, { checkpointEveryRecords: 10, host: 'clinic.example' });
for (let at = 0; at < records; at += 1) {
  await log.record(auditEntry({ patients: userIds.slice(0, at % 4), requestId: String(at) }));
}
const outside = await log.checkpoint();
await log.close();

// In memory: each edit is taken back, none has to reach the disk.
const copy = join(folder, 'copy');
mkdirSync(copy);
copyFileSync(join(folder, 'audit.db'), join(copy, 'audit.db'));
const db = new DatabaseSync(join(copy, 'audit.db'));
db.exec('pragma journal_mode = memory; pragma synchronous = off');
const key = parseVerifierKey(log.verifierKey);
const stolen = loadKey(join(folder, 'audit-key.pem'));
const dice = seededDice(seed);
const found = new Map<string, number>();
const ways = new Map<string, number>();
let missed = 0;
for (let edit = 0; edit < edits; edit += 1) {
  const { way, found: said } = tamper({ db, dice, key: stolen }, () =>
    verifyLog(db, { key, outside }),
  );
  ways.set(way, (ways.get(way) ?? 0) + 1);
  if (said instanceof Error && said.name === 'AuditBrokenError' && 'breach' in said) {
    found.set(String(said.breach), (found.get(String(said.breach)) ?? 0) + 1);
  } else {
    missed += 1;
    process.stdout.write(`missed: ${way}${said instanceof Error ? `: ${said.message}` : ''}\n`);
  }
}
const whole = verifyLog(db, { key, outside }).size;
db.close();
report(
  {
    edits,
    seed,
    'ways tried': ways.size,
    ...Object.fromEntries([...found].map(([breach, count]) => [`found ${breach}`, count])),
    missed,
  },
  missed === 0 && whole === records,
);
