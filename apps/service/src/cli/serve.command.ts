import { Command } from 'commander';
import { setFlagsFromString } from 'node:v8';
import { readConfig } from '../config/read-config.ts';
import { LineBuffer } from '../health/logger.ts';
import { notifySystemd } from './common/notify-systemd.ts';
import { prepareReadyFile, writeReadyFile } from './common/ready-file.ts';
import { waitForSignal, runUntil } from './common/run-until-signal.ts';
import { runCommand } from './common/run-command.ts';
import { startService } from '../start-service.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import type { StartCommand } from '../start-act.ts';

const notes = `
Every setting can also be given as an environment variable CAREGATE_...; docs/configuration.md lists them.
--ready-file is written when the service is ready: {"base_url", "team_id": null, "keys": {}, "sample": null}. It is
removed when the service stops. Ctrl-C or SIGTERM stops the service gracefully, a second Ctrl-C immediately.
Exit codes: 0 stopped, 1 failed to start, 2 usage or configuration error.`;

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly plainHttp?: true;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly data?: string;
  readonly checkpointCopy?: string;
  readonly readyFile?: string;
}

export function makeCommand(): Command {
  return new Command('serve')
    .description('Serves the health data in a data folder over HTTP. Logs to standard output.')
    .option('--port <port>', 'port to listen on; 0 for any free port (default 8080)')
    .option('--host <host>', 'address to listen on (default 127.0.0.1)')
    .option('--plain-http', 'allow unencrypted HTTP on an address that other machines can reach')
    .option('--tls-cert <file>', 'PEM file with the certificate and its chain, to serve HTTPS')
    .option('--tls-key <file>', 'PEM file with its private key')
    .option('--data <dir>', 'data folder, created if missing (or CAREGATE_DATA)')
    .option(
      '--checkpoint-copy <dir>',
      'folder on another disk or share for a copy of each checkpoint of the audit log',
    )
    .option('--ready-file <file>', 'file to write when the service is ready')
    .addHelpText('after', notes)
    .action(async (options: Options) => {
      await runCommand(() => serve(options));
    });
}

/**
 * By default, V8 lets a small heap grow to four times the memory in use before it collects garbage, and keeps that
 * size.
 */
const HEAP_GROWING_FLAG = '--heap-growing-percent=100';

async function serve(options: Options): Promise<void> {
  setFlagsFromString(HEAP_GROWING_FLAG);
  const { data: dataDir, plainHttp, readyFile, ...flags } = options;
  const config = readConfig(process.env, { ...flags, dataDir, plainHttp: plainHttp && 'yes' });
  if (readyFile !== undefined) {
    prepareReadyFile(readyFile);
  }
  await serveUntilSignal(config, 'serve', async (baseUrl) => {
    if (readyFile !== undefined) {
      await writeReadyFile(readyFile, {
        ...{ base_url: baseUrl, team_id: null, keys: {}, sample: null },
      });
    }
    await notifySystemd();
  });
}

/**
 * Serves until a signal arrives. A demo logs to standard error. @param onReady if it rejects, the service is stopped
 */
export async function serveUntilSignal(
  config: ServiceConfig,
  command: StartCommand,
  onReady: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const logTo = new LineBuffer(command === 'serve' ? process.stdout : process.stderr);
  const service = await startService(config, logTo, command);
  const signal = waitForSignal();
  try {
    await onReady(service.baseUrl);
  } catch (error) {
    await service.stop();
    throw error;
  }
  await runUntil(signal, () => service.stop());
}
