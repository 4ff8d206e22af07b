import { Command } from 'commander';
import { resolve } from 'node:path';
import { auditKeyFile } from '../config/secret-files.ts';
import { version } from '../config/version.ts';
import { becomeUser } from '../config/run-as.ts';
import { failureText } from './start/run-command.ts';

/** Loaded lazily so that `--help` and other commands start fast. */
interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'serve the health data in a data folder over HTTP',
    load: async () => (await import('./serve.command.ts')).serveCommand(),
  },
  demo: {
    summary: 'serve sample data about fictional people',
    load: async () => (await import('./demo.command.ts')).demoCommand(),
  },
  import: {
    summary: 'import health data from NDJSON files',
    load: async () => (await import('./import/import.command.ts')).importCommand(),
  },
  backup: {
    summary: 'back up a data folder; the service can keep running',
    load: async () => (await import('./backup.command.ts')).backupCommand(),
  },
  restore: {
    summary: 'restore from a backup what a data folder lacks, or all of it',
    load: async () => (await import('./restore.command.ts')).restoreCommand(),
  },
  move: {
    summary: 'move a data folder into a PostgreSQL database',
    load: async () => (await import('./move.command.ts')).moveCommand(),
  },
  keys: {
    summary: 'create, list, rotate and revoke team API keys',
    load: async () => (await import('./keys.command.ts')).keysCommand(),
  },
  secrets: {
    summary: 'turn the secret of cursors',
    load: async () => (await import('./secrets.command.ts')).secretsCommand(),
  },
  staff: {
    summary: 'add, list and disable people, and give them badges',
    load: async () => (await import('./staff.command.ts')).staffCommand(),
  },
  teams: {
    summary: 'create, list and delete teams',
    load: async () => (await import('./rights/teams.command.ts')).teamsCommand(),
  },
  person: {
    summary: 'export or erase all that is stored of a patient',
    load: async () => (await import('./rights/person.command.ts')).personCommand(),
  },
  desks: {
    summary: 'enrol, list and revoke desks',
    load: async () => (await import('./desks.command.ts')).desksCommand(),
  },
  access: {
    summary: 'report who may read what, and review uses of emergency access',
    load: async () => (await import('./access.command.ts')).accessCommand(),
  },
  doctor: {
    summary: 'say what is wrong with an installation, and what to do next',
    load: async () => (await import('./doctor/doctor.command.ts')).doctorCommand(),
  },
  audit: {
    summary: 'verify and export the audit log',
    load: async () => (await import('./audit/audit.command.ts')).auditCommand(),
  },
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
  for (const [name, { summary, load }] of Object.entries(commands)) {
    caregate.addCommand((name === wanted ? await load() : new Command(name)).summary(summary));
  }
  caregate.hook('preAction', async () => {
    // The arguments are parsed, so the files that they name are open.
    becomeUser();
    const { SigningKey } = await import('@caregate/audit-log');
    const file = auditKeyFile(process.env);
    SigningKey.useFile(file === undefined ? undefined : resolve(file));
  });
  exitByConvention(caregate);
  tellPrograms(caregate);
  return caregate;
}

/** Exit code 2 for usage errors, 0 for help. */
function exitByConvention(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2));
  command.commands.forEach(exitByConvention);
}

/** These run until stopped. */
const WITHOUT_JSON = ['serve', 'demo'];

function tellPrograms(command: Command): void {
  command.configureOutput({
    outputError: (text, write) => {
      write(failureText(text.trim()));
    },
  });
  const isKnown = command.options.some(({ long }) => long === '--json');
  if (command.commands.length === 0 && !isKnown && !WITHOUT_JSON.includes(command.name())) {
    command.option('--json', 'print JSON');
  }
  command.commands.forEach(tellPrograms);
}
