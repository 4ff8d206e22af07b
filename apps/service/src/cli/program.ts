import { Command } from 'commander';
import { resolve } from 'node:path';
import { getAuditKeyFile } from '../config/secret-files.ts';
import { readVersion } from '../config/version.ts';
import { becomeUser } from '../config/run-as.ts';
import { formatFailure } from './common/run-command.ts';

/** Summaries of the commands, which `--help` shows without loading any command. */
const SUMMARIES = {
  serve: 'serve the health data in a data folder over HTTP',
  demo: 'serve sample data about fictional people',
  import: 'import health data from NDJSON files',
  backup: 'back up a data folder; the service can keep running',
  restore: 'restore from a backup what a data folder lacks, or all of it',
  move: 'move a data folder into a PostgreSQL database',
  keys: 'create, list, rotate and revoke team API keys',
  secrets: 'replace the secret that encrypts cursors',
  staff: 'add, list and disable people, and give them badges',
  teams: 'create, list and delete teams',
  person: 'export or erase all that is stored of a patient',
  desks: 'enrol, list and revoke desks',
  access: 'report who may read what, and review uses of emergency access',
  doctor: 'say what is wrong with an installation, and what to do next',
  audit: 'verify and export the audit log',
} as const;

/** A command is loaded when it runs, so that all start fast. */
const COMMANDS: Readonly<
  Record<keyof typeof SUMMARIES, () => Promise<{ readonly makeCommand: () => Command }>>
> = {
  serve: () => import('./serve.command.ts'),
  demo: () => import('./demo.command.ts'),
  import: () => import('./import/import.command.ts'),
  backup: () => import('./backup.command.ts'),
  restore: () => import('./restore.command.ts'),
  move: () => import('./move.command.ts'),
  keys: () => import('./keys.command.ts'),
  secrets: () => import('./secrets.command.ts'),
  staff: () => import('./staff.command.ts'),
  teams: () => import('./rights/teams.command.ts'),
  person: () => import('./rights/person.command.ts'),
  desks: () => import('./desks.command.ts'),
  access: () => import('./access.command.ts'),
  doctor: () => import('./doctor/doctor.command.ts'),
  audit: () => import('./audit/audit.command.ts'),
};

export async function buildProgram(arguments_: readonly string[]): Promise<Command> {
  const caregate = new Command('caregate')
    .description('A health data service that a clinic can trust.')
    .version(readVersion(), '--version')
    .addHelpText(
      'after',
      '\nRun `caregate COMMAND --help` for details. Exit codes: 0 success, 1 failure, 2 usage or input error.',
    );
  const wanted = arguments_[0] === 'help' ? arguments_[1] : arguments_[0];
  for (const name of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) {
    const command = name === wanted ? (await COMMANDS[name]()).makeCommand() : new Command(name);
    caregate.addCommand(command.summary(SUMMARIES[name]));
  }
  caregate.hook('preAction', async () => {
    // The arguments are parsed, so root has already opened the files that they name.
    becomeUser();
    const { SigningKey } = await import('@caregate/audit-log');
    const file = getAuditKeyFile(process.env);
    SigningKey.useFile(file === undefined ? undefined : resolve(file));
  });
  exitByConvention(caregate);
  offerJson(caregate);
  return caregate;
}

/** Exits with 2 for usage errors and 0 for help. */
function exitByConvention(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2));
  command.commands.forEach(exitByConvention);
}

const WITHOUT_JSON = ['serve', 'demo'];

function offerJson(command: Command): void {
  command.configureOutput({
    outputError: (text, write) => {
      write(formatFailure(text.trim()));
    },
  });
  const acceptsJson = command.options.some(({ long }) => long === '--json');
  if (command.commands.length === 0 && !acceptsJson && !WITHOUT_JSON.includes(command.name())) {
    command.option('--json', 'print JSON');
  }
  command.commands.forEach(offerJson);
}
