import { Command } from 'commander';
import { readConfig } from '../config/read-config.ts';
import { prepareReadyFile, writeReadyFile } from './start/ready-file.ts';
import { firstSignal, runUntil } from './start/run-until-signal.ts';
import { runCommand } from './start/run-command.ts';
import { orStop, startService } from './start/start-service.ts';

const notes = `
Every setting can also be given as a variable CAREGATE_...; the README of the service has the table.
--ready-file holds, once the service answers, {"base_url", "team_id": null, "keys": {}, "sample": null}; it is gone
again when the service stops. Ctrl-C or SIGTERM stops the service, a second Ctrl-C at once.
Exit codes: 0 stopped, 1 could not start, 2 wrong usage or a wrong setting.`;

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly plainHttp?: true;
  readonly data?: string;
  readonly upstream?: string;
  readonly upstreamTeam?: string;
  readonly upstreamKeyFile?: string;
  readonly readyFile?: string;
}

/** `caregate serve`: the service on a data folder. */
export function serveCommand(): Command {
  return new Command('serve')
    .summary('serve the health data of a data folder over HTTP')
    .description('Serves the health data of a data folder over HTTP. Logs to standard output.')
    .option('--port <port>', 'port to listen on; 0 takes any that is free (default 8080)')
    .option('--host <host>', 'address to listen on (default 127.0.0.1)')
    .option('--plain-http', 'also where that is beyond this machine, unencrypted')
    .option('--data <dir>', 'data folder; made where it is missing (or CAREGATE_DATA)')
    .option('--upstream <url>', "reads one team's data from there instead of the data folder")
    .option('--upstream-team <uuid>', 'that team')
    .option('--upstream-key-file <file>', 'file with the key for it, readable by its owner alone')
    .option('--ready-file <file>', 'file to write once the service answers')
    .addHelpText('after', notes)
    .action(async (options: Options) => {
      await runCommand(() => serve(options));
    });
}

async function serve(options: Options): Promise<void> {
  const { port, host, data, readyFile, upstream, upstreamTeam, upstreamKeyFile } = options;
  const plainHttp = options.plainHttp && 'yes';
  const flags = { port, host, plainHttp, dataDir: data, upstream, upstreamTeam, upstreamKeyFile };
  const config = readConfig(process.env, flags);
  if (readyFile !== undefined) {
    prepareReadyFile(readyFile);
  }
  const service = await startService(config, process.stdout);
  const signal = firstSignal();
  if (readyFile !== undefined) {
    const { baseUrl } = service;
    await orStop(service, () => {
      writeReadyFile(readyFile, { base_url: baseUrl, team_id: null, keys: {}, sample: null });
    });
  }
  await runUntil(signal, service, config.drainMs + config.shutdownTimeoutMs);
}
