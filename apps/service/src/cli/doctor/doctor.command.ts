import { Command } from 'commander';
import { existsSync, statSync } from 'node:fs';
import { OperatorError } from '../../config/operator-error.ts';
import { logPaths } from '@caregate/audit-log';
import { auditKeyFile } from '../../config/secret-files.ts';
import { readConfig, secretFiles } from '../../config/read-config.ts';
import { ConfigError, type ServiceConfig } from '../../config/service-config.ts';
import { movedTo } from '../../database/sqlite/moved-folder.ts';
import { operatorError, output, print, runCommand } from '../start/run-command.ts';
import { checkKeys, checkPostgres } from './database-checks.ts';
import { fault, ok, type Finding } from './finding.ts';
import {
  checkBackups,
  checkDatabases,
  checkDisk,
  checkFolder,
  checkStoreIsThere,
} from './folder-checks.ts';
import { checkLog, checkPostgresLogs } from './log-checks.ts';
import {
  checkCertificate,
  checkClock,
  checkEncryption,
  checkPort,
  checkSecretFiles,
  checkSigningKey,
} from './machine-checks.ts';

const notes = `
Changes nothing. Reads the settings of serve: run it with the same environment, as the user of the service or as root.
Each line is ok, WARNING or FAULT, what was looked at, what is wrong, and the next command.
Exit codes: 0 all is well, 1 warnings, 2 faults.`;

const settingsFile = '/etc/caregate/caregate.env';

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
  const found = [
    ok('node', `Node ${process.versions.node}.`),
    ...(await attempt('certificate', () => checkCertificate(config, owner))),
    ...(await attempt('folder', () => checkFolder(dataDir))),
  ];
  const keyFile = auditKeyFile(process.env);
  found.push(
    ...checkSecretFiles([
      settingsFile,
      ...secretFiles(process.env),
      ...(keyFile === undefined ? [] : [keyFile]),
    ]),
    ...checkSigningKey(keyFile, logPaths(dataDir).ownKey),
  );
  if (owner === undefined) {
    return found;
  }
  found.push(await checkDisk('disk', dataDir), ...(await checkEncryption(dataDir)));
  let isUsed: boolean | undefined;
  if (databaseUrl === '') {
    const moved = movedTo(dataDir);
    if (moved !== undefined) {
      const what = `The data of ${dataDir} was moved to PostgreSQL at ${moved}.`;
      return [...found, fault('store', what, 'Set DATABASE_URL to that database.')];
    }
    found.push(
      ...(await attempt('store', () => checkStoreIsThere(dataDir))),
      ...(await attempt('store', () => checkDatabases(dataDir))),
      ...(await attempt('audit log', async () => {
        const log = await checkLog(dataDir, onRecords);
        isUsed = log.isBeingWritten;
        return [...log.findings, checkClock(log.newestMs)];
      })),
    );
    if (found.some(({ check, level }) => check === 'access.db' && level === 'ok')) {
      found.push(...checkKeys(dataDir));
    }
  } else {
    const database = await checkPostgres(config, (pool) =>
      attempt('audit log', () => checkPostgresLogs(pool, dataDir, onRecords)),
    );
    ({ isUsed } = database);
    found.push(...database.findings);
  }
  found.push(await checkPort(config, isUsed ?? false));
  if (backups !== undefined) {
    found.push(...(await attempt('backups', () => checkBackups(backups, dataDir))));
  }
  return found;
}

/** What can't be looked at is a finding, too: the other checks go on. */
async function attempt(
  check: string,
  work: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    const known = operatorError(error);
    if (!(known instanceof OperatorError)) {
      throw error;
    }
    const next = 'Check the path, and run the doctor as the user of the service or as root.';
    return [fault(check, known.message, next)];
  }
}
