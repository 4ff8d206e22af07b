import { Command } from 'commander';
import { readFileSync } from 'node:fs';

/** A sub-command, its file read only when it is called: `--help` and the others then start fast. */
interface Entry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'serve the health data of a data folder over HTTP',
    load: async () => (await import('./serve.command.ts')).serveCommand(),
  },
  demo: {
    summary: 'serve made-up people, to try things out',
    load: async () => (await import('./demo.command.ts')).demoCommand(),
  },
  import: {
    summary: 'put health data from NDJSON files into the store',
    load: async () => (await import('./import.command.ts')).importCommand(),
  },
  backup: {
    summary: 'copy a data folder while it is served',
    load: async () => (await import('./backup.command.ts')).backupCommand(),
  },
  move: {
    summary: 'move a data folder into a PostgreSQL database',
    load: async () => (await import('./move.command.ts')).moveCommand(),
  },
  keys: {
    summary: 'make, list, rotate and revoke the keys of teams',
    load: async () => (await import('./keys.command.ts')).keysCommand(),
  },
  'break-glass': {
    summary: 'list and review uses of emergency access',
    load: async () => (await import('./break-glass.command.ts')).breakGlassCommand(),
  },
  audit: {
    summary: 'verify, prove and export the audit log',
    load: async () => (await import('./audit/audit.command.ts')).auditCommand(),
  },
};

/** The command line for these arguments: complete where they name a sub-command, otherwise with summaries alone. */
export async function program(arguments_: readonly string[]): Promise<Command> {
  const caregate = new Command('caregate')
    .description('A health data service that a clinic can trust.')
    .version(version(), '--version')
    .addHelpText(
      'after',
      '\n`caregate COMMAND --help` tells more. Exit codes: 0 done, 1 failed, 2 wrong usage or input.',
    );
  const wanted = arguments_[0] === 'help' ? arguments_[1] : arguments_[0];
  for (const [name, { summary, load }] of Object.entries(commands)) {
    caregate.addCommand(name === wanted ? await load() : new Command(name).summary(summary));
  }
  exitByConvention(caregate);
  return caregate;
}

/** Wrong usage ends with 2, help that was asked for with 0. */
function exitByConvention(command: Command): void {
  command.exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2));
  command.commands.forEach(exitByConvention);
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
