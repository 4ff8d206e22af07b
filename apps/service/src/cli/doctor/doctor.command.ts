import { withPostgres } from '@caregate/data-store/database';
import { Command } from 'commander';
import { readConfig } from '../../config/read-config.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { createOutput, print, runCommand } from '../common/run-command.ts';
import { checkDatabase, checkFolder, checkMachine, Examination, type Finding } from './checks.ts';

const notes = `
Changes nothing. Reads the settings of serve: run it with the same environment, as the user of the service or as root.
Each line is ok, WARNING or FAULT, what was looked at, what is wrong, and the next command.
Exit codes: 0 all is well, 1 warnings, 2 faults.`;

const LEVELS = ['ok', 'warning', 'fault'];

export function makeCommand(): Command {
  return new Command('doctor')
    .description('Says what is wrong with an installation, and what to do next.')
    .option('--data <dir>', 'data folder (or CAREGATE_DATA)')
    .addHelpText('after', notes)
    .action(async ({ data }: { readonly data?: string }) => {
      await runCommand(async () => {
        const findings = await examineInstallation(data);
        print(createOutput(findings, (all) => all.map(formatFinding).join('')));
        return Math.max(...findings.map(({ level }) => LEVELS.indexOf(level)));
      });
    });
}

function formatFinding({ check, level, what, next }: Finding): string {
  const word = level === 'ok' ? 'ok' : level.toUpperCase();
  return `${word.padEnd(8)} ${check.padEnd(12)} ${what}${next === '' ? '' : ` Next: ${next}`}\n`;
}

async function examineInstallation(data: string | undefined): Promise<readonly Finding[]> {
  const examination = new Examination();
  const { findings } = examination;
  let config: ServiceConfig | undefined;
  await examination.check('settings', 'caregate serve --help lists them.', () => {
    config = readConfig(process.env, { dataDir: data });
    return 'They can be used.';
  });
  if (config === undefined) {
    return findings;
  }
  const { dataDir, databaseUrl } = config;
  const hasFolder = await checkMachine(examination, dataDir, config);
  if (!hasFolder) {
    return findings;
  }
  if (databaseUrl === '') {
    await checkFolder(examination, dataDir);
    return findings;
  }
  await withPostgres(databaseUrl, 'caregate doctor', (pool) =>
    checkDatabase(examination, pool, { dataDir, databaseUrl }),
  );
  return findings;
}
