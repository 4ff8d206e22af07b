import { Command, InvalidArgumentError, Option } from 'commander';
import { CidrList } from '../../config/cidr-list.ts';
import { parseFilesToRead } from '../../config/run-as.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { isLoopback } from '../../config/parsers.ts';
import { CHARSETS } from '@caregate/hl7v2';
import {
  toIdBytes,
  MessageStore,
  type PatientId,
  RefusedFile,
  parseUuid,
} from '@caregate/data-store';
import { createAction, type CommandContext } from '../command.ts';
import { importLines, type ImportRun } from './import-lines.ts';
import { importMessages, listenForMessages, retryWaiting } from './import-messages.ts';
import type { MllpAddress } from './mllp-server.ts';
import { buildPendingCommand } from './pending.command.ts';

const examples = `
Each line of a FILE is one JSON object (NDJSON, UTF-8, plain or gzip):

  {"kind":"user","user":{"user_id":"3fa85f64-5717-4562-b3fc-2c963f66afa6","team_id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","client_user_id":"patient-0017","created_on":"2026-01-15T09:30:00+00:00","connected_sources":[],"fallback_time_zone":{"id":"Europe/Berlin","source_slug":"manual","updated_at":"2026-01-15T09:30:00+00:00"}}}
  {"kind":"lab_result","team_id":"7c9e…","user_id":"3fa8…","order_id":"5d1f…","result":{"metadata":{…},"results":[…]}}
  {"kind":"insurance","team_id":"7c9e…","user_id":"3fa8…","recorded_at":"2026-01-15T09:30:00+00:00","is_primary":true,"insurance":{…}}
  {"kind":"mindfulness_minutes","team_id":"7c9e…","user_id":"3fa8…","source":{"provider":"oura","type":"ring"},"data":[{"start":"2026-01-15T07:00:00+01:00","end":"2026-01-15T07:12:00+01:00","unit":"min","value":12}]}

With DATABASE_URL (postgresql://...) the data is imported into that database instead of the data folder, which then holds
only the key that signs the audit log; imports of different teams can run at the same time.

The line of a user must come before the lines that refer to that user. A file is imported completely or, if any line is
invalid, not at all; --skip-invalid imports the valid lines. Importing a file again changes nothing.

A file can contain the data of several teams; each line names its team. To import the files of one clinic, use --team:
lines of other teams are then refused as invalid, so that a file cannot change the data of another clinic.

The start and the end of an import are recorded in the audit log, the end with the SHA-256 of the file, the teams and the
number of records, before the data is committed; without a log that can be written, nothing is imported.
With --format hl7v2, a FILE has messages of a laboratory (ORU^R01, 2.3 to 2.8), and --mllp takes them over a connection until
it is stopped. Each stands alone: taken, put aside (pending) or refused. A message is taken if PID-3 has a client user id of the
authority, PID-7 the birth date known here, and a name in PID-5 agrees; else it waits, and is tried again when people are imported or
it is sent again. Where the client user id is in PID-2, or PID-3 names no authority, say so with --patient-id: identifiers without
an authority then count, too.

  caregate import --format hl7v2 --mllp 127.0.0.1:2575 --team 7c9e6679-7425-40de-944b-e07fc1f90ae7 --authority CLINIC
  caregate import pending`;

/** Time in milliseconds to wait for another import into the same store. */
const WAIT_MS = 600_000;

interface Options {
  readonly data?: string;
  readonly format: 'ndjson' | 'hl7v2';
  readonly mllp?: MllpAddress;
  readonly team?: Uint8Array;
  readonly authority?: string;
  readonly patientId?: PatientId['field'];
  readonly charset: string;
  readonly allow?: CidrList;
  readonly plainMllp?: true;
  readonly skipInvalid?: string;
  readonly readyFile?: string;
}

export function makeCommand(): Command {
  return new Command('import')
    .description(
      'Imports health data: files of NDJSON, or messages of laboratories. The service can keep running.',
    )
    .argument('[file...]', 'files, plain or gzip; - for standard input', parseFilesToRead, [])
    .addOption(new Option('--data <dir>', 'data folder, created if missing').env('CAREGATE_DATA'))
    .addOption(
      new Option('--format <format>', 'lines of JSON, or messages of HL7 v2')
        .choices(['ndjson', 'hl7v2'])
        .default('ndjson'),
    )
    .option(
      '--mllp <host:port>',
      'take messages on this address until stopped; port 0 for any free port',
      parseAddress,
    )
    .option('--team <uuid>', 'import only this team; lines of other teams are refused', parseTeamId)
    .option('--authority <name>', 'whose identifiers in PID-3 are client user ids')
    .addOption(
      new Option(
        '--patient-id <field>',
        'where the client user id is, PID-2 or PID-3, also without an authority',
      ).choices(['PID-2', 'PID-3']),
    )
    .addOption(
      new Option(
        '--charset <name>',
        'character set of messages that leave MSH-18 empty, by its name there',
      )
        .choices([...CHARSETS.keys()])
        .default('ASCII'),
    )
    .option(
      '--allow <addresses>',
      'take MLLP connections only of these addresses or networks',
      parseNetworks,
    )
    .option('--plain-mllp', 'allow unencrypted MLLP on addresses other than loopback')
    .option(
      '--skip-invalid <file>',
      'import the valid lines, write the refused lines with reasons to this file',
    )
    .option('--ready-file <file>', 'file to write when messages are taken: {"mllp":"HOST:PORT"}')
    .option('--json', 'print a line of JSON for each file, or for each message')
    .addHelpText('after', examples)
    .enablePositionalOptions()
    .addCommand(buildPendingCommand(parseTeamId))
    .action(createAction(runImport));
}

async function runImport(
  context: CommandContext,
  options: Options,
  files: readonly string[],
): Promise<0 | 2> {
  const optionError = findOptionError(files, options);
  if (optionError !== undefined) {
    throw new OperatorError(optionError, 2);
  }
  const { skipInvalid, format } = options;
  const refused = skipInvalid === undefined ? undefined : new RefusedFile(skipInvalid, files);
  const { log, progress } = context;
  const onWaiting = (): void => {
    progress.clear();
    process.stderr.write('Waiting: another process is writing to this store.\n');
  };
  try {
    return await context.withImports(async (database) => {
      const run = { log, progress, database, waitMs: WAIT_MS, onWaiting };
      const isDone =
        format === 'ndjson'
          ? await importAllLines(run, files, { team: options.team, refused })
          : await importAllMessages(run, files, options);
      return isDone ? 0 : 2;
    }, WAIT_MS);
  } finally {
    refused?.close();
  }
}

const FOR_MESSAGES = ['mllp', 'authority', 'allow', 'readyFile', 'patientId', 'plainMllp'] as const;

/** Returns which options can't be combined, or undefined. */
function findOptionError(files: readonly string[], options: Options): string | undefined {
  const { mllp, team, authority = '', patientId, allow, plainMllp } = options;
  if (options.format === 'ndjson') {
    const misplaced = FOR_MESSAGES.find((name) => options[name] !== undefined);
    if (misplaced !== undefined) {
      const name = misplaced.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
      return `--${name} is for messages of laboratories: use it with --format hl7v2.`;
    }
    return files.length > 0 ? undefined : 'No file to import: name one, or - for standard input.';
  }
  const isNetwork = mllp !== undefined && !isLoopback(mllp.host);
  const misfits: readonly (readonly [isMisfit: boolean, why: string])[] = [
    [options.skipInvalid !== undefined, '--skip-invalid is for NDJSON: each message stands alone.'],
    [team === undefined, '--format hl7v2 needs --team UUID: a message names no team.'],
    [
      authority === '' && patientId === undefined,
      '--format hl7v2 needs --authority NAME: whose identifiers in PID-3 are client user ids. If the identifiers have no authority, say where they are with --patient-id.',
    ],
    [
      mllp === undefined && (allow !== undefined || plainMllp === true),
      '--allow and --plain-mllp are for --mllp.',
    ],
    [
      isNetwork && plainMllp !== true,
      `MLLP is neither encrypted nor signed in to: on ${mllp?.host} others could read and send results. Listen on 127.0.0.1 behind a TLS tunnel, or allow it on a network of your own with --plain-mllp, best with --allow.`,
    ],
    [
      mllp === undefined && files.length === 0,
      'No messages to import: name a file, - for standard input, or --mllp HOST:PORT.',
    ],
    [mllp === undefined && options.readyFile !== undefined, '--ready-file is for --mllp.'],
    [mllp !== undefined && files.length > 0, 'With --mllp, name no files with it.'],
  ];
  return misfits.find(([isMisfit]) => isMisfit)?.[1];
}

async function importAllLines(
  run: ImportRun,
  files: readonly string[],
  only: Parameters<typeof importLines>[2],
): Promise<boolean> {
  const teams = await importLines(run, files, only);
  const store = new MessageStore(run.database);
  for (const each of teams ?? []) {
    const team = toIdBytes(each);
    await retryWaiting({ ...run, store, team, ...NO_MESSAGES });
  }
  return teams !== undefined;
}

async function importAllMessages(
  run: ImportRun,
  files: readonly string[],
  { mllp, team = Buffer.alloc(0), authority = '', patientId, ...options }: Options,
): Promise<boolean> {
  const { progress } = run;
  const field = patientId ?? 'PID-3';
  const taker = {
    ...{ ...run, store: new MessageStore(run.database), team, charset: options.charset },
    patientId: { field, authority, withoutAuthority: patientId !== undefined },
  };
  return await run.log.hold(async () => {
    if (mllp !== undefined) {
      const from = { ...mllp, allowed: options.allow ?? new CidrList([]) };
      await listenForMessages(from, options.readyFile, taker);
      return true;
    }
    let isComplete = true;
    for (const file of files) {
      isComplete = (await importMessages(file, { taker, progress })) && isComplete;
    }
    return isComplete;
  });
}

/** Waiting messages were stored with their own patient IDs and character set. */
const NO_MESSAGES = {
  patientId: { field: 'PID-3', authority: '', withoutAuthority: false },
  charset: 'ASCII',
} as const;

function parseTeamId(text: string): Uint8Array {
  const team = parseUuid(text);
  if (team === undefined) {
    throw new InvalidArgumentError('Expected a team id (a UUID).');
  }
  return team;
}

function parseNetworks(list: string): CidrList {
  const networks = list.split(',').map((each) => each.trim());
  try {
    return new CidrList(networks.filter(Boolean));
  } catch (error) {
    throw new OperatorError(`--allow: ${(error as Error).message}`, 2);
  }
}

/** Parses `host:port`, with brackets around an IPv6 address. */
function parseAddress(text: string): MllpAddress {
  const [, host = '', digits = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]+):(\d{1,5})$/iu.exec(text) ?? [];
  const port = Number(digits);
  if (host === '' || !(port <= 65_535)) {
    throw new InvalidArgumentError('Expected HOST:PORT, such as 127.0.0.1:2575.');
  }
  return { host: host.replaceAll(/[[\]]/gu, ''), port };
}
