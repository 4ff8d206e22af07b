import { Command } from 'commander';
import { resolve } from 'node:path';
import { auditKeyFile } from '../config/secret-files.ts';
import { version } from '../config/version.ts';
import { becomeUser } from '../config/run-as.ts';
import { failureText } from './common/run-command.ts';

/** Summaries, and what loads each command when it runs, so that `--help` and each command start fast. */
const COMMANDS: Readonly<Record<string, readonly [string, () => Promise<Command>]>> = {
  serve: [
    'serve the health data in a data folder over HTTP',
    async () => (await import('./serve.command.ts')).serveCommand(),
  ],
  demo: [
    'serve sample data about fictional people',
    async () => (await import('./demo.command.ts')).demoCommand(),
  ],
  import: [
    'import health data from NDJSON files',
    async () => (await import('./import/import.command.ts')).importCommand(),
  ],
  backup: [
    'back up a data folder; the service can keep running',
    async () => (await import('./backup.command.ts')).backupCommand(),
  ],
  restore: [
    'restore from a backup what a data folder lacks, or all of it',
    async () => (await import('./restore.command.ts')).restoreCommand(),
  ],
  move: [
    'move a data folder into a PostgreSQL database',
    async () => (await import('./move.command.ts')).moveCommand(),
  ],
  keys: [
    'create, list, rotate and revoke team API keys',
    async () => (await import('./keys.command.ts')).keysCommand(),
  ],
  secrets: [
    'turn the secret of cursors',
    async () => (await import('./secrets.command.ts')).secretsCommand(),
  ],
  staff: [
    'add, list and disable people, and give them badges',
    async () => (await import('./staff.command.ts')).staffCommand(),
  ],
  teams: [
    'create, list and delete teams',
    async () => (await import('./rights/teams.command.ts')).teamsCommand(),
  ],
  person: [
    'export or erase all that is stored of a patient',
    async () => (await import('./rights/person.command.ts')).personCommand(),
  ],
  desks: [
    'enrol, list and revoke desks',
    async () => (await import('./desks.command.ts')).desksCommand(),
  ],
  access: [
    'report who may read what, and review uses of emergency access',
    async () => (await import('./access.command.ts')).accessCommand(),
  ],
  doctor: [
    'say what is wrong with an installation, and what to do next',
    async () => (await import('./doctor/doctor.command.ts')).doctorCommand(),
  ],
  audit: [
    'verify and export the audit log',
    async () => (await import('./audit/audit.command.ts')).auditCommand(),
  ],
};

export async function program(arguments_: readonly string[]): Promise<Command> {
  const caregate = new Command('caregate')
    .description('A health data service that a clinic can trust.')
    .version(version(), '--version')
    .addHelpText(
      'after',
      '\nRun `caregate COMMAND --help` for details. Exit codes: 0 success, 1 failure, 2 usage or input error.',
    );
  const wanted = arguments_[0] === 'help' ? arguments_[1] : arguments_[0];
  for (const [name, [summary, load]] of Object.entries(COMMANDS)) {
    const command = name === wanted ? await load() : new Command(name);
    caregate.addCommand(command.summary(summary));
  }
  caregate.hook('preAction', async () => {
    // The arguments are parsed, so the files that they name are open.
    becomeUser();
    const { SigningKey } = await import('@caregate/audit-log');
    const file = auditKeyFile(process.env);
    SigningKey.useFile(file === undefined ? undefined : resolve(file));
  });
  exitByConvention(caregate);
  offerJson(caregate);
  return caregate;
}

/** Exit code 2 for usage errors, 0 for help. */
function exitByConvention(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2));
  command.commands.forEach(exitByConvention);
}

/** These run until stopped. */
const WITHOUT_JSON = ['serve', 'demo'];

function offerJson(command: Command): void {
  command.configureOutput({
    outputError: (text, write) => {
      write(failureText(text.trim()));
    },
  });
  const isKnown = command.options.some(({ long }) => long === '--json');
  if (command.commands.length === 0 && !isKnown && !WITHOUT_JSON.includes(command.name())) {
    command.option('--json', 'print JSON');
  }
  command.commands.forEach(offerJson);
}
