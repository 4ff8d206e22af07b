import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { firstUncut, requireNotHeld } from './cut-plan.ts';

// A running service waits for the lock meanwhile: short steps, and pauses in which it gets its turn.
const atOnce = 500;
const pauseMs = 5;

/**
 * Empties the records before `beforeSeq`, from the first on; their hashes stay, and so every proof. Stopped half-way, it
 * goes on where it was. The file must be open for writing.
 *
 * @throws RetentionError where a hold has come up since
 */
export async function emptyRecords(db: DatabaseSync, beforeSeq: number): Promise<void> {
  // What was there is overwritten, not just let go of.
  db.exec('pragma secure_delete = on');
  const open = db.prepare('insert into audit_cut (one) values (1)');
  const empty = db.prepare(
    'update audit_event set salt = null, body = null where seq >= ? and seq < ?',
  );
  const forget = db.prepare('delete from audit_patient where seq >= ? and seq < ?');
  const shut = db.prepare('delete from audit_cut');
  for (let from = firstUncut(db); from < beforeSeq; from += atOnce) {
    const to = Math.min(from + atOnce, beforeSeq);
    db.exec('begin immediate');
    try {
      // Within the transaction: nobody can add a hold between this look and the cut.
      requireNotHeld(db, from, to);
      open.run();
      empty.run(from, to);
      forget.run(from, to);
      shut.run();
      db.exec('commit');
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
    await pause(pauseMs);
  }
  db.exec('pragma wal_checkpoint(truncate)');
}
