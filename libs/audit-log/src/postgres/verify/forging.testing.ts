import { randomBytes, type KeyObject } from 'node:crypto';
import { ROTATE_KEY } from '../../entry/record-text.ts';
import { signCheckpoint, VerifierKey } from '../../note/checkpoint.ts';
import { signSeal } from '../../note/seal.ts';
import { auditEntry } from '../../testing/audit-entry.testing.ts';
import { columns } from '../../testing/postgres-log.testing.ts';
import { oneOf, type Dice } from '../../testing/dice.testing.ts';
import { Frontier, leafHash } from '../../tree/tree.ts';
import type { AuditSession } from '../audit-session.ts';
import { copiesOf } from '../stored/copies.ts';
import { storeBlocks } from '../stored/store-blocks.ts';
import { readHashes, readSize } from '../stored/stored-tree.ts';

/** Somebody with all rights in the database, a key of their own, and none of the logs'. */
interface Forger {
  readonly db: AuditSession;
  readonly dice: Dice;
  readonly logId: string;
  readonly origin: string;
  /** Another log of the database. */
  readonly other: string;
  readonly size: number;
  /** Not the log's. */
  readonly key: KeyObject;
  /** The first key of the log, which was replaced, for ways that say that it was stolen. */
  readonly stolen: KeyObject;
}

type Forgery = (forger: Forger) => Promise<unknown>;

const names = Object.keys(columns);

/** Ways to change a log; each is to be found. */
export const forgeries: Readonly<Record<string, Forgery>> = {
  'a record is edited': async (forger) => {
    await edit(forger, forger.dice(forger.size));
  },
  'a record is edited and all that is computed from it, seals and checkpoints by another key':
    async (forger) => {
      await edit(forger, forger.dice(forger.size));
      await recompute(forger, 'sign');
    },
  'a record is edited and the tree recomputed, seals and checkpoints from there on deleted': async (
    forger,
  ) => {
    const seq = forger.dice(forger.size);
    await edit(forger, seq);
    await recompute(forger, 'keep');
    await forger.db.query('delete from audit_seal where log_id = $1 and size > $2', [
      forger.logId,
      seq,
    ]);
    await forger.db.query('delete from audit_checkpoint where log_id = $1 and size > $2', [
      forger.logId,
      seq,
    ]);
  },
  'all seals are deleted': (forger) => remove(forger, 'audit_seal', 'true'),
  'all seals and checkpoints but the first are deleted': async (forger) => {
    await remove(forger, 'audit_seal', 'true');
    await remove(forger, 'audit_checkpoint', 'size > 1');
  },
  'the last seals are deleted': (forger) =>
    remove(forger, 'audit_seal', `size > ${forger.dice(forger.size - 1)}`),
  'an inner seal is deleted': (forger) =>
    remove(
      forger,
      'audit_seal',
      `size = (select size from audit_seal where log_id = $1
         and size < (select max(size) from audit_seal where log_id = $1)
         order by size offset ${forger.dice(3)} limit 1)`,
    ),
  'all checkpoints are deleted': (forger) => remove(forger, 'audit_checkpoint', 'true'),
  // One that no seal names proves nothing that the seals do not.
  'the last checkpoints are deleted, one that a seal names among them': async (forger) => {
    const { rows } = await forger.db.query(
      'select max(checkpoint_size) as size from audit_seal where log_id = $1',
      [forger.logId],
    );
    await remove(forger, 'audit_checkpoint', `size > ${forger.dice(Number(rows[0]?.['size']))}`);
  },
  'the end is cut off, all tables alike': async (forger) => {
    await cutOff(forger, 1 + forger.dice(forger.size - 1));
  },
  'the records of the end are deleted': (forger) =>
    remove(forger, 'audit_event', `seq >= ${forger.dice(forger.size)}`),
  'the log is emptied': async (forger) => {
    for (const table of ['audit_event', 'audit_node', 'audit_seal', 'audit_checkpoint']) {
      await remove(forger, table, 'true');
    }
  },
  'the log is deleted': async (forger) => {
    await cutOff(forger, 0);
    await remove(forger, 'audit_log', 'true');
  },
  'entries are emptied': (forger) => empty(forger, 1 + forger.dice(forger.size - 1)),
  'the seals of another log are put in': async ({ db, logId, other }) => {
    await db.query('delete from audit_seal where log_id = $1', [logId]);
    await db.query(
      `insert into audit_seal select $1, first, size, root, checkpoint_size, signature from audit_seal where log_id = $2`,
      [logId, other],
    );
  },
  'all that another log has is put in, under this name': async ({ db, logId, other }) => {
    for (const table of ['audit_event', 'audit_node', 'audit_seal', 'audit_checkpoint']) {
      await db.query(`delete from ${table} where log_id = $1`, [logId]);
      await db.query(`update ${table} set log_id = $1 where log_id = $2`, [logId, other]);
    }
  },
  'a seal is moved to another size': (forger) =>
    forger.db.query(
      `update audit_seal set size = size + 1 where log_id = $1 and size = (
         select max(size) from audit_seal s where log_id = $1 and not exists (
           select from audit_seal n where n.log_id = $1 and n.size = s.size + 1))`,
      [forger.logId],
    ),
  'a seal names another checkpoint': (forger) =>
    forger.db.query(
      `update audit_seal set checkpoint_size = 0 where log_id = $1 and checkpoint_size > 0`,
      [forger.logId],
    ),
  'two records change places': async (forger) => {
    const [one, two] = [forger.dice(forger.size - 1), forger.size - 1];
    const far = 1_000_000;
    for (const [from, to] of [
      [one, far],
      [two, one],
      [far, two],
    ] as const) {
      await forger.db.query(`update audit_event set seq = $3 where log_id = $1 and seq = $2`, [
        forger.logId,
        from,
        to,
      ]);
    }
  },
  'a record is deleted and those after it move up, the tree recomputed': async (forger) => {
    const seq = forger.dice(forger.size - 1);
    await remove(forger, 'audit_event', `seq = ${seq}`);
    for (const by of [1_000_000, -1_000_001]) {
      await forger.db.query(
        `update audit_event set seq = seq + ${by} where log_id = $1 and seq > $2`,
        [forger.logId, seq],
      );
    }
    await recompute(forger, 'keep');
  },
  'a record is added at the end': (forger) => put(forger, forger.size, auditEntry()),
  'a record is added at the end and sealed by another key': async (forger) => {
    await put(forger, forger.size, auditEntry());
    await recompute(forger, 'sign');
  },
  'a record is added at the end and sealed by a stolen old key': async (forger) => {
    await put(forger, forger.size, auditEntry());
    await recompute({ ...forger, key: forger.stolen }, 'last');
  },
  'the last checkpoint is signed by a stolen old key': (forger) =>
    recompute({ ...forger, key: forger.stolen }, 'last checkpoint'),
  'the change of the key is edited, and all sealed and signed by a stolen old key': async (
    forger,
  ) => {
    await put(forger, await changeAt(forger), auditEntry());
    await recompute({ ...forger, key: forger.stolen }, 'sign');
  },
  'the change of the key is put at the end, too, and sealed by a stolen old key': async (
    forger,
  ) => {
    const { rows } = await forger.db.query(
      'select body from audit_event where log_id = $1 and seq = $2',
      [forger.logId, await changeAt(forger)],
    );
    await put(forger, forger.size, String(rows[0]?.['body']));
    await recompute({ ...forger, key: forger.stolen }, 'last');
  },
  'the names of the keys are taken out of all checkpoints': ({ db, logId }) =>
    db.query(
      `update audit_checkpoint set note = array_to_string((string_to_array(note, E'\\n'))[1:5], E'\\n') || E'\\n'
       where log_id = $1`,
      [logId],
    ),
  'a bit of a hash, a salt, a root or a signature is flipped': flip,
  'a column beside a record is changed': async ({ db, logId, size, dice }) => {
    const [name, type] = oneOf(dice, Object.entries(columns).slice(0, -1));
    await db.query(
      `update audit_event set ${name} = ${type === 'bigint' ? `coalesce(${name}, 0) + 1` : `coalesce(${name}, '') || 'x'`}
       where log_id = $1 and seq = $2`,
      [logId, dice(size)],
    );
  },
  'a record stands beside another team': ({ db, logId, size, dice }) =>
    db.query(`update audit_event set team_id = $3 where log_id = $1 and seq = $2`, [
      ...[logId, 1 + dice(size - 1)],
      '0e37df36-f698-11e6-8dd4-cb9ced3df976',
    ]),
  'two columns change names': async ({ db }) => {
    for (const [from, to] of [
      ['team_id', 'was'],
      ['actor_id', 'team_id'],
      ['was', 'actor_id'],
    ]) {
      await db.query(`alter table audit_event rename column ${from} to ${to}`);
    }
  },
  'a column is emptied by another type': ({ db }) =>
    db.query('alter table audit_event alter column recorded_at_us type text using null'),
  'a patient is added to a record': ({ db, logId, size, dice }) =>
    db.query(
      `update audit_event set patients = coalesce(patients, '{}') || 30000::smallint where log_id = $1 and seq = $2`,
      [logId, dice(size)],
    ),
  'a patient is taken from a record': ({ db, logId, dice }) =>
    db.query(
      `update audit_event set patients = nullif(patients[2:], '{}') where ctid = (
         select ctid from audit_event where log_id = $1 and patients is not null order by seq offset $2 limit 1)`,
      [logId, dice(10)],
    ),
  'a block is deleted': (forger) => remove(forger, 'audit_node', 'idx = 0'),
  'a block is added': ({ db, logId }) =>
    db.query(
      `insert into audit_node select log_id, 3, 7, root, hashes from audit_node where log_id = $1 limit 1`,
      [logId],
    ),
  'the key of the log is replaced, and everything signed anew': async (forger) => {
    const { db, logId, origin, key } = forger;
    await edit(forger, forger.dice(forger.size));
    await recompute(forger, 'sign');
    await db.query('update audit_log set verifier_key = $2 where log_id = $1', [
      logId,
      VerifierKey.of(origin, key).text,
    ]);
  },
  'the log is renamed': ({ db, logId }) =>
    db.query(`update audit_log set origin = 'other' || origin where log_id = $1`, [logId]),
};

function remove({ db, logId }: Forger, table: string, where: string): Promise<unknown> {
  return db.query(`delete from ${table} where log_id = $1 and ${where}`, [logId]);
}

/** As if the log had ended there. */
async function cutOff(forger: Forger, size: number): Promise<void> {
  await remove(forger, 'audit_event', `seq >= ${size}`);
  for (const table of ['audit_seal', 'audit_checkpoint']) {
    await remove(forger, table, `size > ${size}`);
  }
  await remove(forger, 'audit_node', `(idx + 1) * 256 ^ (level + 1) > ${size}`);
}

async function empty(forger: Forger, before: number): Promise<void> {
  const nulls = names.map((name) => `${name} = null`).join(', ');
  const nothing = `salt = decode(repeat('00', 16), 'hex'), body = ''`;
  await forger.db.query(
    `update audit_event set ${nothing}, ${nulls} where log_id = $1 and seq < $2`,
    [forger.logId, before],
  );
}

/** With its own hash, and all that stands beside it. */
async function edit({ db, logId, dice }: Forger, seq: number): Promise<void> {
  const { rows } = await db.query('select body from audit_event where log_id = $1 and seq = $2', [
    logId,
    seq,
  ]);
  const changes: [RegExp, string][] = [
    [/"operation":"\w+"/u, '"operation":"somethingElse"'],
    [/"recorded_at_us":\d+/u, '"recorded_at_us":1700000000000000'],
    [/"http_status":(?:\d+|null)/u, '"http_status":404'],
    [/"team_id":(?:"[^"]*"|null)/u, '"team_id":"another"'],
  ];
  const [what, by] = oneOf(dice, changes);
  await put({ db, logId }, seq, String(rows[0]?.['body']).replace(what, by));
}

async function put(
  { db, logId }: Pick<Forger, 'db' | 'logId'>,
  seq: number,
  body: string,
): Promise<void> {
  const salt = randomBytes(16);
  const copies = copiesOf(body, columns);
  await db.query('delete from audit_event where log_id = $1 and seq = $2', [logId, seq]);
  await db.query(
    `insert into audit_event (log_id, seq, salt, body, leaf_hash, ${names.join(', ')})
     values ($1, $2, $3, $4, $5, ${names.map((_, at) => `$${at + 6}`).join(', ')})`,
    [logId, seq, salt, body, leafHash(salt, Buffer.from(body)), ...Object.values(copies)],
  );
}

async function changeAt({ db, logId }: Forger): Promise<number> {
  const { rows } = await db.query(
    `select seq from audit_event where log_id = $1 and body like '%"operation":"${ROTATE_KEY}"%'`,
    [logId],
  );
  return Number(rows[0]?.['seq']);
}

/** Blocks and roots of seals as the records give them; signed by the forger, or left with the signatures that were there. */
async function recompute(
  { db, logId, origin, key }: Forger,
  signatures: 'sign' | 'keep' | 'last' | 'last checkpoint',
): Promise<void> {
  await db.query('delete from audit_node where log_id = $1', [logId]);
  await storeBlocks(db, logId);
  const size = await readSize(db, logId);
  const leaves = await readHashes(db, logId, [0, 0, size]);
  const { rows: seals } = await db.query(
    'select size, checkpoint_size from audit_seal where log_id = $1',
    [logId],
  );
  const { rows: notes } = await db.query('select size from audit_checkpoint where log_id = $1', [
    logId,
  ]);
  const sealed = new Map(seals.map((row) => [Number(row['size']), Number(row['checkpoint_size'])]));
  if (signatures === 'sign' || signatures === 'last') {
    sealed.set(size, 1);
  }
  const signed = new Set(notes.map((row) => Number(row['size'])));
  const tree = new Frontier();
  let first = 0;
  for (const leaf of leaves) {
    tree.append(leaf);
    const root = tree.root();
    const checkpointSize = sealed.get(tree.size);
    const isWanted = signatures === 'sign' || signatures === 'keep' || tree.size === size;
    if (checkpointSize !== undefined && signatures !== 'last checkpoint' && isWanted) {
      const { signature } = signSeal(origin, { first, size: tree.size, root, checkpointSize }, key);
      await db.query(
        `insert into audit_seal values ($1, $2, $3, $4, $5, $6) on conflict (log_id, size) do update
         set root = excluded.root ${signatures !== 'keep' ? ', signature = excluded.signature, first = excluded.first' : ''}`,
        [logId, first, tree.size, root, checkpointSize, signature],
      );
    }
    first = sealed.has(tree.size) ? tree.size : first;
    if (signatures !== 'keep' && isWanted && signed.has(tree.size)) {
      await db.query('update audit_checkpoint set note = $3 where log_id = $1 and size = $2', [
        logId,
        tree.size,
        signCheckpoint({ origin, size: tree.size, root }, key),
      ]);
    }
  }
}

async function flip({ db, logId, dice }: Forger): Promise<void> {
  const [table, column] = oneOf(dice, [
    ['audit_event', 'leaf_hash'],
    ['audit_event', 'salt'],
    ['audit_node', 'hashes'],
    ['audit_node', 'root'],
    ['audit_seal', 'root'],
    ['audit_seal', 'signature'],
  ] as const);
  const { rows } = await db.query(
    `select ctid::text as row, length(${column}) as length from ${table} where log_id = $1`,
    [logId],
  );
  const chosen = oneOf(dice, rows);
  const bit = dice(8 * Number(chosen['length']));
  await db.query(
    `update ${table} set ${column} = set_bit(${column}, $2, 1 - get_bit(${column}, $2)) where ctid = $1::tid`,
    [chosen['row'], bit],
  );
}
