import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/read-config.ts';
import { demoFolder, demoSample, fillDemo, makeDemoKeys, sampleTeamId } from './demo-data.ts';
import { demoText } from './demo-text.ts';
import { prepareReadyFile, writeReadyFile } from './start/ready-file.ts';
import { firstSignal, runUntil } from './start/run-until-signal.ts';
import { runCommand } from './start/run-command.ts';
import { orStop, startService } from './start/start-service.ts';

const notes = `
The people are made up and the same each time. Without --data they live in a temporary folder that is removed at the
end. A folder given with --data is kept, and must be empty or an earlier demo's; each run makes new keys.
--ready-file holds, once the service answers, {"base_url", "team_id", "keys": {"<role>": "<key>"}, "sample":
{"user_id", "client_user_id", "order_id"}}: a key for each role, and someone with data in all five operations.
Warnings and errors are logged to standard error; CAREGATE_LOG_LEVEL=info logs each request.
Exit codes: 0 stopped, 1 could not start, 2 wrong usage or a wrong setting.`;

interface Options {
  readonly users: number;
  readonly port?: string;
  readonly host?: string;
  readonly plainHttp?: true;
  readonly data?: string;
  readonly readyFile?: string;
}

/** `caregate demo`: the service on made-up people. */
export function demoCommand(): Command {
  return new Command('demo')
    .summary('serve made-up people, to try things out')
    .description('Serves made-up people over HTTP, and prints keys and lines to try.')
    .option('--users <n>', 'how many people, 9 to 1000000', userCount, 300)
    .option('--port <port>', 'port to listen on; 0 takes any that is free (default 8080)')
    .option('--host <host>', 'address to listen on (default 127.0.0.1)')
    .option('--plain-http', 'also where that is beyond this machine, unencrypted')
    .option('--data <dir>', 'folder to keep the people in (default: a temporary one)')
    .option('--ready-file <file>', 'file to write once the service answers')
    .addHelpText('after', notes)
    .action(async (options: Options) => {
      await runCommand(() => demo(options));
    });
}

async function demo({ users, port, host, plainHttp, data, readyFile }: Options): Promise<void> {
  // A wrong setting is told before any work is done; the folder is put in below.
  const env = {
    CAREGATE_LOG_LEVEL: 'warn',
    ...process.env,
    CAREGATE_DATA: undefined,
    // Its people are made up: they go into a folder, never into a database that others use.
    DATABASE_URL: undefined,
    DATABASE_READ_URL: undefined,
  };
  const settings = readConfig(env, {
    port,
    host,
    plainHttp: plainHttp && 'yes',
    dataDir: data ?? '.',
  });
  if (readyFile !== undefined) {
    prepareReadyFile(readyFile);
  }
  const folder = demoFolder(data);
  // Also where the process is ended in the middle: by a second Ctrl-C, or by one while the folder is being filled.
  process.on('exit', folder.remove);
  const endNow = (): void => process.exit(130);
  process.on('SIGINT', endNow).on('SIGTERM', endNow).on('SIGHUP', endNow);
  await fillDemo(folder.path, users);
  const keys = await makeDemoKeys(folder.path);
  const service = await startService({ ...settings, dataDir: folder.path }, process.stderr);
  const signal = firstSignal();
  // Not before: Node drops a signal that came in meanwhile where no listener is left for a moment.
  process.off('SIGINT', endNow).off('SIGTERM', endNow).off('SIGHUP', endNow);
  const sample = demoSample();
  await orStop(service, () => {
    const { baseUrl } = service;
    if (readyFile !== undefined) {
      const { user_id, client_user_id, order_id } = sample;
      writeReadyFile(readyFile, {
        base_url: baseUrl,
        team_id: sampleTeamId,
        keys,
        sample: { user_id, client_user_id, order_id },
      });
    }
    process.stdout.write(demoText(baseUrl, keys, sample));
  });
  await runUntil(signal, service, settings.shutdownTimeoutMs);
}

function userCount(text: string): number {
  const users = /^\d{1,7}$/u.test(text) ? Number(text) : NaN;
  // The named cast are the first nine; one of them is the sample.
  if (!(users >= 9 && users <= 1_000_000)) {
    throw new InvalidArgumentError('It must be a whole number, 9 to 1000000.');
  }
  return users;
}
