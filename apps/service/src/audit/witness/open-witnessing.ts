import { resolve } from 'node:path';
import { logPaths, parseVerifierKey, WitnessClient, type Policy } from '@caregate/audit-log';
import { witnessedFile } from '@caregate/audit-log/postgres';
import type { Logger } from 'pino';
import type { ServiceConfig } from '../../config/service-config.ts';
import { OutgoingHttp } from '../../http/outgoing/outgoing-http.ts';
import type { AuditTrail } from '../trail/audit-trail.ts';
import { CheckpointCopy } from './checkpoint-copy.ts';
import { placeOf } from './copied-logs.ts';
import { KeptNoteFile, type KeptNote } from './kept-note.ts';
import { requireExtends } from './require-extends.ts';
import { readWitnessPolicy, requireLogOfPolicy } from './witness-policy.ts';
import { Witnessing } from './witnessing.ts';

type Config = Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'witnesses' | 'checkpointCopy'>;

interface Opened {
  readonly trail: AuditTrail;
  readonly logId: string;
  readonly logger: Logger;
}

/**
 * What has the checkpoints of a log copied and cosigned, not yet started.
 *
 * @throws ConfigError if the policy file is wrong
 * @throws AuditLogError if a checkpoint that was kept does not fit the log: it was rolled back, truncated or changed
 */
export async function openWitnessing(config: Config, opened: Opened): Promise<Witnessing> {
  const { trail, logger, logId } = opened;
  const copy =
    config.checkpointCopy === ''
      ? undefined
      : new CheckpointCopy(config.checkpointCopy, logId, {
          place: placeOf(config.dataDir),
          logger,
        });
  const copied = await copy?.read();
  if (copy !== undefined && copied !== undefined) {
    await requireExtends(trail, copied, `The checkpoint copy ${copy.path}`);
  }
  const policy = config.witnesses === '' ? undefined : readWitnessPolicy(config.witnesses);
  const witnesses = policy && (await openWitnesses(policy, config, opened));
  return new Witnessing({ trail, logger, witnesses, copy });
}

async function openWitnesses(
  policy: Policy,
  { witnesses, dataDir, databaseUrl }: Config,
  { trail, logId }: Opened,
): Promise<{ client: WitnessClient; kept: KeptNote; policy: Policy }> {
  const verifierKey = await trail.verifierKey();
  requireLogOfPolicy(witnesses, policy, verifierKey);
  const file =
    databaseUrl === '' ? logPaths(resolve(dataDir)).witnessed : witnessedFile(dataDir, logId);
  const kept = new KeptNoteFile(file);
  const note = await kept.read();
  if (note !== undefined) {
    await requireExtends(trail, note, `The cosigned checkpoint ${file}`);
  }
  const log = {
    key: parseVerifierKey(verifierKey),
    prove: async (from: number, to: number) => (await trail.consistency({ from, to })).hashes,
  };
  const http = new OutgoingHttp({ keepAlive: false });
  const client = new WitnessClient({ policy, log, kept: note, fetch: http.fetch });
  return { client, kept, policy };
}
