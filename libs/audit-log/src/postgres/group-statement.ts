import type { LogIdentity } from '../note/checkpoint.ts';
import type { Seal } from '../note/seal.ts';
import { rootOfHashes } from '../tree/blocks.ts';
import { leafHash } from '../tree/tree.ts';
import { copiesOf, type Copies } from './stored/copies.ts';

/** One round trip per group. It appends only after the given seal, so never to a truncated log. */
function appendStatement(columns: Copies): string {
  const names = Object.keys(columns).map((name) => `, ${name}`);
  const values = Object.entries(columns).map(([name, type]) => `, (copies ->> '${name}')::${type}`);
  return `
  with sealed as (
    select 1 from (select $3::bytea as signature) as known
    left join lateral (
      select size, signature from audit.audit_seal where log_id = $1 order by size desc limit 1
    ) as newest on true
    where (known.signature is null and newest.size is null
        or newest.size = $2::bigint and newest.signature = known.signature)
      and coalesce((select max(seq) + 1 from audit.audit_event where log_id = $1), 0) = $2
  ), log as (
    insert into audit.audit_log (log_id, origin, verifier_key, created_at_us)
    select $1, $14::text, $15, $16::bigint from sealed where $14 is not null
  ), records as (
    select $2 + at - 1 as seq, substring($6::bytea from 32 * at::int - 31 for 32) as leaf_hash,
      substring($5::bytea from 16 * at::int - 15 for 16) as salt, body, copies
    from sealed, rows from (string_to_table($4, E'\\n'), json_array_elements($7::json)) with ordinality as r (body, copies, at)
  ), events as (
    insert into audit.audit_event (log_id, seq, leaf_hash, salt, body${names.join('')})
    select $1, seq, leaf_hash, salt, body${values.join('')} from records
  ), blocks as (
    insert into audit.audit_node (log_id, level, idx, root, hashes)
    select $1, level, idx, decode(root, 'hex'), decode(hashes, 'hex')
    from sealed, json_to_recordset($8::json) as t (level smallint, idx bigint, root text, hashes text)
  ), seals as (
    insert into audit.audit_seal (log_id, first, size, root, checkpoint_size, signature)
    select $1, $2, $9, $10, $11, $12 from sealed where $9 > $2
  ), checkpoints as (
    insert into audit.audit_checkpoint (log_id, size, note) select $1, $9, $13 from sealed where $13::text is not null
  )
  select count(*)::int as found from sealed`;
}

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

export class Group {
  readonly #bodies: string[] = [];
  readonly #salts: Buffer[] = [];
  readonly #leaves: Buffer[] = [];
  readonly #columns: Copies;
  readonly #copies: object[] = [];
  readonly #blocks: object[] = [];

  constructor(columns: Copies) {
    this.#columns = columns;
  }

  add(body: string, salt: Buffer): Buffer {
    const leaf = leafHash(salt, Buffer.from(body));
    this.#bodies.push(body);
    this.#copies.push(copiesOf(body, this.#columns));
    this.#salts.push(salt);
    this.#leaves.push(leaf);
    return leaf;
  }

  addBlock(level: number, index: number, block: Buffer): void {
    const root = rootOfHashes(block).toString('hex');
    this.#blocks.push({ level, idx: index, root, hashes: block.toString('hex') });
  }

  statement(
    { logId, origin, verifierKey }: LogIdentity,
    before: Seal | undefined,
    { seal, note, createdAtUs }: GroupEnd,
  ): Statement {
    const isNew = createdAtUs !== undefined;
    return {
      name: 'audit append',
      text: appendStatement(this.#columns),
      values: [
        logId,
        before?.size ?? 0,
        before?.signature ?? null,
        // A record is one line.
        this.#bodies.join('\n'),
        Buffer.concat(this.#salts),
        Buffer.concat(this.#leaves),
        JSON.stringify(this.#copies),
        JSON.stringify(this.#blocks),
        seal.size,
        seal.root,
        seal.checkpointSize,
        seal.signature,
        note ?? null,
        isNew ? origin : null,
        isNew ? verifierKey : null,
        createdAtUs ?? null,
      ],
    };
  }
}

export interface GroupEnd {
  readonly seal: Seal;
  readonly note: string | undefined;
  readonly createdAtUs?: number;
}
