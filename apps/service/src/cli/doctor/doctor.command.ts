import { Command } from 'commander';
import { existsSync, statSync } from 'node:fs';
import { readConfig } from '../../config/read-config.ts';
import { ConfigError, type ServiceConfig } from '../../config/service-config.ts';
import { movedTo } from '../../database/sqlite/moved-folder.ts';
import { print, output, runCommand } from '../start/run-command.ts';
import { checkKeys, checkPostgres } from './database-checks.ts';
import { fault, type Finding } from './finding.ts';
import { checkBackups, checkDatabases, checkDisk, checkFolder } from './folder-checks.ts';
import { checkLog } from './log-checks.ts';
import { checkCertificate, checkClock, checkNode, checkPort } from './machine-checks.ts';

const notes = `
Changes nothing. Reads the settings of serve: run it with the same environment, as the user of the service or as root.
Each line is ok, WARNING or FAULT, what was looked at, what is wrong, and the next command.
Exit codes: 0 all is well, 1 warnings, 2 faults.`;

interface Options {
  readonly data?: string;
  readonly backups?: string;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Says what is wrong with an installation, and what to do next.')
    .option('--data <dir>', 'data folder (or CAREGATE_DATA)')
    .option('--backups <dir>', 'folder with the backups')
    .addHelpText('after', notes)
    .action(async (options: Options) => {
      await runCommand(async (progress) => {
        const findings = await examine(options, (done, of) => {
          progress.draw('records verified', done, of);
        });
        progress.clear();
        print(output(findings, findings.map(lineOf).join('')));
        return Math.max(...findings.map(({ level }) => ['ok', 'warning', 'fault'].indexOf(level)));
      });
    });
}

function lineOf({ check, level, what, next }: Finding): string {
  const word = level === 'ok' ? 'ok' : level.toUpperCase();
  return `${word.padEnd(8)} ${check.padEnd(12)} ${what}${next === '' ? '' : ` Next: ${next}`}\n`;
}

async function examine(
  { data, backups }: Options,
  onRecords: (done: number, of: number) => void,
): Promise<Finding[]> {
  let config: ServiceConfig;
  try {
    config = readConfig(process.env, { dataDir: data });
  } catch (error) {
    if (error instanceof ConfigError) {
      const next = 'docs/configuration.md, and caregate serve --help';
      return error.message.split('\n').map((line) => fault('settings', line, next));
    }
    throw error;
  }
  const { dataDir, databaseUrl } = config;
  const owner = existsSync(dataDir) ? statSync(dataDir) : undefined;
  const folder = checkFolder(dataDir);
  const found = [checkNode(), ...checkCertificate(config, owner), ...folder];
  if (owner === undefined) {
    return found;
  }
  found.push(await checkDisk('disk', dataDir));
  let isUsed: boolean | undefined;
  if (databaseUrl === '') {
    const moved = movedTo(dataDir);
    if (moved !== undefined) {
      const what = `The data of ${dataDir} was moved to PostgreSQL at ${moved}.`;
      return [...found, fault('store', what, 'Set DATABASE_URL to that database.')];
    }
    const log = await checkLog(dataDir, onRecords);
    isUsed = log.isBeingWritten;
    found.push(...checkDatabases(dataDir), ...log.findings, checkClock(log.newestMs));
    found.push(
      ...(found.some(({ check, level }) => check === 'access.db' && level === 'ok')
        ? checkKeys(dataDir)
        : []),
    );
  } else {
    const database = await checkPostgres(databaseUrl);
    ({ isUsed } = database);
    found.push(...database.findings);
  }
  found.push(await checkPort(config, isUsed ?? false));
  if (backups !== undefined) {
    found.push(...(await checkBackups(backups, dataDir)));
  }
  return found;
}
