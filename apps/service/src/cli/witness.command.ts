import { Command, InvalidArgumentError } from 'commander';
import { BadCheckpointError, VerifierKey } from '@caregate/audit-log';
import { createLogger } from '../observe/logger.ts';
import { serveWitness } from '../witness/witness-server.ts';
import { openCosigners } from '../witness/witness-folder.ts';
import { operatorError, runCommand, output } from './start/run-command.ts';
import { firstSignal, runUntil } from './start/run-until-signal.ts';

const help = `
A witness cosigns the checkpoints of audit logs that only grow: run it on a machine that the operators of the service
cannot change. On the first start its keys are made in the data folder; keep that folder, and never restore an older
copy of it. It speaks C2SP tlog-witness over plain HTTP. It sees hashes and counts of records, never records; for
encryption, and to limit who can reach it, put a TLS proxy in front.

  on the witness:  caregate witness key --data DIR
                   caregate witness serve --data DIR --log "$(the line of: caregate audit public-key)"
  on the service:  CAREGATE_WITNESSES=policy.txt, a file with the lines
                     witness second <key of the witness> http://second.example:8090
                     quorum second
Exit codes: 0 stopped, 1 failed to start, 2 usage or configuration error.`;

interface ServeFlags {
  readonly data: string;
  readonly name?: string;
  readonly log: readonly VerifierKey[];
  readonly host: string;
  readonly port: number;
}

export function witnessCommand(): Command {
  const witness = new Command('witness').summary('cosign audit logs of other machines');
  withFolder(witness.command('serve'))
    .summary('serve a witness over HTTP')
    .requiredOption(
      '--log <vkey>',
      'public key of a log to cosign; give it again for each more',
      (text: string, before: readonly VerifierKey[] | undefined) => [
        ...(before ?? []),
        logKey(text),
      ],
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 for any free port', portOf, 8090)
    .addHelpText('after', help)
    .action(async (flags: ServeFlags) => {
      await runCommand(() => serve(flags));
    });
  withFolder(witness.command('key'))
    .summary("print the witness's public key, for policy files")
    .option('--ml-dsa', 'print its ML-DSA-44 key instead of the Ed25519 one')
    .action(async (flags: { data: string; name?: string; mlDsa?: true }) => {
      await runCommand(() => {
        const wanted = flags.mlDsa === undefined ? 'ed25519' : 'ml-dsa-44';
        const shown = openCosigners(flags.data, flags.name)
          .filter(({ algorithm }) => algorithm === wanted)
          .map(({ verifierKey }) => verifierKey);
        return output({ keys: shown }, shown.map((key) => `${key}\n`).join(''));
      });
    });
  return witness;
}

function withFolder(command: Command): Command {
  return command
    .requiredOption('--data <dir>', 'folder of the witness, created if missing')
    .option(
      '--name <name>',
      'name of a new witness, such as second.example/witness (default: the host name and a number)',
    );
}

async function serve({ data, name, log: logs, host, port }: ServeFlags): Promise<void> {
  const logger = createLogger('info', process.stdout);
  const signal = firstSignal();
  const witness = await serveWitness({ dataDir: data, name, logs, host, port, logger }).catch(
    (error: unknown) => {
      throw operatorError(error, { host, port });
    },
  );
  logger.info({ base_url: witness.baseUrl, logs: logs.map((log) => log.name) }, 'ready');
  await runUntil(signal, witness, 0);
}

function logKey(text: string): VerifierKey {
  try {
    return VerifierKey.parse(text);
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      throw new InvalidArgumentError('Expected the line that caregate audit public-key prints.');
    }
    throw error;
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) {
    throw new InvalidArgumentError('Expected a whole number from 0 to 65535.');
  }
  return port;
}
