import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { firstUncut, requireNotHeld } from './cut-plan.ts';

// A running service waits for the lock: short transactions with pauses in between.
const atOnce = 500;
const pauseMs = 5;

/**
 * Erases the content of the records before `beforeSeq`; their hashes are kept, so that proofs stay valid. Can be resumed
 * after an interruption. The file must be open for writing.
 *
 * @throws RetentionError if a hold was placed in the meantime
 */
export async function eraseRecords(db: DatabaseSync, beforeSeq: number): Promise<void> {
  // Overwrite deleted data.
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
      // In the transaction, so that no hold can be placed between this check and the cut.
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
