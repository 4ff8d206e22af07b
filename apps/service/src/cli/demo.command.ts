import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/read-config.ts';
import {
  addDemoPeople,
  prepareDemoFolder,
  buildDemoSample,
  fillDemo,
  makeDemoKeys,
  toProviderSettings,
  readDemoProvider,
  sampleTeamId,
} from './demo-data.ts';
import { formatDemoText } from './demo-text.ts';
import { prepareReadyFile, writeReadyFile } from './common/ready-file.ts';
import { runCommand } from './common/run-command.ts';
import type { ProgressLine } from './common/progress-line.ts';
import { serveUntilSignal } from './serve.command.ts';

const notes = `
The people are fictional and the same in every run. Without --data they are kept in a temporary folder, removed on exit.
A folder given with --data is kept; it must be empty or from an earlier demo. Each run creates new keys.
--ready-file is written when the service is ready: {"base_url", "team_id", "data", "keys": {"<role>": "<key>"}, "sample":
{"user_id", "client_user_id", "order_id"}}, with a key for each role and a user with data for all reads.
--identity-provider names a file {"issuer", "client_id", "people": [{"subject", "name", "role"}]}; these people can then sign
in at a desk, and the ready file has "identity_provider": {"issuer", "people", "enrolment_code"}, whose code enrols one desk
within 10 minutes.
Warnings and errors are logged to standard error.
Exit codes: 0 stopped, 1 failed to start, 2 usage or configuration error.`;

interface Options {
  readonly users: number;
  readonly port?: string;
  readonly host?: string;
  readonly plainHttp?: true;
  readonly data?: string;
  readonly readyFile?: string;
  readonly identityProvider?: string;
}

export function makeCommand(): Command {
  return new Command('demo')
    .description(
      'Serves sample data about fictional people over HTTP. Prints API keys and curl commands to try.',
    )
    .option('--users <n>', 'number of people, 9 to 1000000', parseUserCount, 300)
    .option('--port <port>', 'port to listen on; 0 for any free port (default 8080)')
    .option('--host <host>', 'address to listen on (default 127.0.0.1)')
    .option('--plain-http', 'allow unencrypted HTTP on an address that other machines can reach')
    .option('--data <dir>', 'folder to keep the data in (default: a temporary folder)')
    .option('--ready-file <file>', 'file to write when the service is ready')
    .option('--identity-provider <file>', 'ready file of an identity provider with people')
    .addHelpText('after', notes)
    .action(async (options: Options) => {
      await runCommand((progress) => runDemo(options, progress));
    });
}

async function runDemo(options: Options, progress: ProgressLine): Promise<void> {
  const { users, port, host, plainHttp, data, readyFile, identityProvider } = options;
  const provider = identityProvider === undefined ? undefined : readDemoProvider(identityProvider);
  // Report invalid settings before any work. The data folder is set below.
  const env = {
    ...process.env,
    CAREGATE_DATA: undefined,
    // Fictional people must never be imported into a shared database.
    DATABASE_URL: undefined,
    ...(provider !== undefined && toProviderSettings(provider)),
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
  const folder = prepareDemoFolder(data);
  // Also after a second Ctrl-C, or one during the import.
  process.on('exit', folder.remove);
  const endNow = (): void => process.exit(130);
  process.on('SIGINT', endNow).on('SIGTERM', endNow).on('SIGHUP', endNow);
  await fillDemo(folder.path, users, (done) => {
    progress.draw('people', done, users);
  });
  progress.clear();
  const keys = await makeDemoKeys(folder.path);
  const identity = provider && {
    ...{ issuer: provider.issuer, people: provider.people ?? [] },
    enrolment_code: await addDemoPeople(folder.path, provider),
  };
  await serveUntilSignal({ ...settings, dataDir: folder.path }, 'demo', async (baseUrl) => {
    // Not earlier, since a signal without any listener would end the process.
    process.off('SIGINT', endNow).off('SIGTERM', endNow).off('SIGHUP', endNow);
    const sample = buildDemoSample();
    if (readyFile !== undefined) {
      const { user_id, client_user_id, order_id } = sample;
      await writeReadyFile(readyFile, {
        base_url: baseUrl,
        team_id: sampleTeamId,
        data: folder.path,
        keys,
        sample: { user_id, client_user_id, order_id },
        ...(identity !== undefined && { identity_provider: identity }),
      });
    }
    process.stdout.write(formatDemoText(baseUrl, keys, sample));
  });
}

function parseUserCount(text: string): number {
  const users = /^\d{1,7}$/u.test(text) ? Number(text) : NaN;
  // The first nine users are the named personas, one of which is the sample.
  if (!(users >= 9 && users <= 1_000_000)) {
    throw new InvalidArgumentError('Expected a whole number from 9 to 1000000.');
  }
  return users;
}
