import { Command } from 'commander';
import { existsSync } from 'node:fs';
import { readConfig } from '../../config/read-config.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { requireNotMoved } from '@caregate/data-store/database';
import { output, print, runCommand } from '../common/run-command.ts';
import { checkCertificate, checkDisk, checkFolder } from './machine-checks.ts';
import { checkFiles, checkFolderLog, checkPostgres } from './data-checks.ts';
import { examine, type Finding } from './finding.ts';

const notes = `
Changes nothing. Reads the settings of serve: run it with the same environment, as the user of the service or as root.
Each line is ok, WARNING or FAULT, what was looked at, what is wrong, and the next command.
Exit codes: 0 all is well, 1 warnings, 2 faults.`;

const LEVELS = ['ok', 'warning', 'fault'];

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Says what is wrong with an installation, and what to do next.')
    .option('--data <dir>', 'data folder (or CAREGATE_DATA)')
    .addHelpText('after', notes)
    .action(async ({ data }: { readonly data?: string }) => {
      await runCommand(async () => {
        const findings = await examineInstallation(data);
        print(output(findings, findings.map(lineOf).join('')));
        return Math.max(...findings.map(({ level }) => LEVELS.indexOf(level)));
      });
    });
}

function lineOf({ check, level, what, next }: Finding): string {
  const word = level === 'ok' ? 'ok' : level.toUpperCase();
  return `${word.padEnd(8)} ${check.padEnd(12)} ${what}${next === '' ? '' : ` Next: ${next}`}\n`;
}

async function examineInstallation(data: string | undefined): Promise<Finding[]> {
  let config: ServiceConfig | undefined;
  const findings = await examine('settings', 'caregate serve --help lists them.', () => {
    config = readConfig(process.env, { dataDir: data });
    return 'They can be used.';
  });
  if (config === undefined) {
    return findings;
  }
  const { dataDir, databaseUrl } = config;
  findings.push(...(await checkCertificate(config)), ...(await checkFolder(dataDir)));
  if (!existsSync(dataDir)) {
    return findings;
  }
  findings.push(...(await checkDisk(dataDir)));
  if (databaseUrl !== '') {
    return [...findings, ...(await checkPostgres(databaseUrl, dataDir))];
  }
  const moved = await examine('store', 'caregate serve --help', () => {
    requireNotMoved(dataDir);
  });
  const checks = moved.length > 0 ? [] : [checkFiles, checkFolderLog];
  const found = await Promise.all(checks.map((check) => check(dataDir)));
  return [...findings, ...moved, ...found.flat()];
}
