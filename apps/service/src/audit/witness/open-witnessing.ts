import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  logPaths,
  Policy,
  WitnessClient,
  writeDurably,
  VerifierKey,
  AuditLogError,
} from '@caregate/audit-log';
import { KeptCheckpoints } from '@caregate/audit-log/postgres';
import type { Logger } from 'pino';
import { errorCode } from '../../config/operator-error.ts';
import { ConfigError, type ServiceConfig } from '../../config/service-config.ts';
import { OutgoingHttp } from '../../http/outgoing/outgoing-http.ts';
import type { AuditTrail } from '../trail/audit-trail.ts';
import { CheckpointCopy, readIfThere } from './checkpoint-copy.ts';
import { requireExtends } from './require-extends.ts';
import { Witnessing, type Witnesses } from './witnessing.ts';

type Config = Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'witnesses' | 'checkpointCopy'>;

interface Opened {
  readonly trail: AuditTrail;
  readonly logId: string;
  readonly logger: Logger;
}

/** @throws ConfigError if the policy file is wrong; AuditLogError if the log does not extend a stored checkpoint */
export async function openWitnessing(config: Config, opened: Opened): Promise<Witnessing> {
  const { trail, logger, logId } = opened;
  const { checkpointCopy: folder, dataDir } = config;
  const copy = folder === '' ? undefined : new CheckpointCopy(folder, logId, { dataDir, logger });
  const copied = await copy?.read();
  if (copy !== undefined && copied !== undefined) {
    await requireExtends(trail, copied, `The checkpoint copy ${copy.path}`);
  }
  const witnesses = config.witnesses === '' ? undefined : await openWitnesses(config, opened);
  return new Witnessing({ trail, logger, witnesses, copy });
}

async function openWitnesses(
  { witnesses, dataDir, databaseUrl }: Config,
  { trail, logId }: Opened,
): Promise<Witnesses> {
  const key = VerifierKey.parse(await trail.verifierKey());
  const { keys } = key.open(await trail.checkpoint());
  const policy = readPolicy(witnesses, keys);
  const file =
    databaseUrl === ''
      ? logPaths(resolve(dataDir)).witnessed
      : KeptCheckpoints.witnessedFile(dataDir, logId);
  const note = await readIfThere(file);
  if (note !== undefined) {
    await requireExtends(trail, note, `The cosigned checkpoint ${file}`);
  }
  const log = {
    key: keys,
    prove: async (from: number, to: number) => (await trail.consistency({ from, to })).hashes,
  };
  const http = new OutgoingHttp({ keepAlive: false });
  const client = new WitnessClient({ policy, log, kept: note, fetch: http.fetch });
  const store = async (cosigned: string): Promise<void> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeDurably(file, cosigned);
  };
  return { client, policy, store };
}

/** Reads the policy file (C2SP tlog-policy). @throws ConfigError that names the file and the line */
function readPolicy(file: string, keys: ReturnType<VerifierKey['open']>['keys']): Policy {
  let policy: Policy;
  try {
    policy = Policy.parse(readFileSync(file));
  } catch (error) {
    throw new ConfigError(
      error instanceof AuditLogError
        ? `${file}: ${error.message}`
        : `The policy file ${file} of CAREGATE_WITNESSES cannot be read (${errorCode(error)}).`,
    );
  }
  const { witnesses, logs } = policy;
  const unreachable = witnesses.find(({ url }) => url === undefined);
  if (unreachable !== undefined) {
    throw new ConfigError(
      `${file}: the witness "${unreachable.name}" has no address. Add the URL prefix of its add-checkpoint to its line.`,
    );
  }
  if (witnesses.length === 0) {
    throw new ConfigError(`${file}: no witness line. Unset CAREGATE_WITNESSES to ask no witness.`);
  }
  if (logs.length > 0 && !logs.some(({ key }) => key.name === keys.current.name && keys.has(key))) {
    throw new ConfigError(
      `${file} names logs, and not the one of this service. Add the line: log ${keys.current.text}`,
    );
  }
  return policy;
}
