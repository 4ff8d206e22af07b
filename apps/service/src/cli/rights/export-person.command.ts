import type { Disclosure } from '@caregate/domain';
import { Option, type Command } from 'commander';
import { writeFileSync } from 'node:fs';
import type { AccessStore } from '../../auth/access-store.ts';
import { toGrantJson } from '../../auth/break-glass/grant-json.ts';
import { describeDisclosure, isResponseRecord } from '../../audit/auditor/disclosure.ts';
import { RecordIds } from '../../audit/record-ids.ts';
import { withNewFile } from '../audit/audit-work.ts';
import { createAction, type CommandContext } from '../command.ts';
import { createOutput } from '../common/run-command.ts';
import { renderPersonHtml } from './person-html.ts';
import { describePerson } from './person-json.ts';
import {
  createUnknownPersonError,
  toPersonKey,
  buildPersonCommand,
  type PersonOptions,
} from './which-person.ts';
import type { AuditRecord } from '../../audit/audit-record.ts';

const notes = `
One document: the user, contact details, insurances, orders with results and their earlier versions, activity, messages of
laboratories that wait (with their text, unless they may be about somebody else), what the search knows, emergency accesses, and who
was shown any of it, from the audit log. JSON has each value as it is stored; HTML is the same as one page for the patient, which a
browser shows and prints. It is health data: protect the file.`;

interface Options extends PersonOptions {
  readonly format: 'json' | 'html';
  readonly out?: string;
}

export function buildExportCommand(): Command {
  return buildPersonCommand('export', 'export all that is stored of a person, and who read it')
    .addOption(
      new Option('--format <format>', 'json, or html: a page for the patient that prints')
        .choices(['json', 'html'])
        .default('json'),
    )
    .option('--out <file>', 'output file; must not exist; by default standard output')
    .addHelpText('after', notes)
    .action(
      createAction((context, options: Options) =>
        context.withPeople(async (store) => {
          const person = await store.read(toPersonKey(options));
          if (person === undefined) {
            throw createUnknownPersonError(options);
          }
          const { user, format, out } = options;
          await withNewFile(out, async (file) => {
            const all = describePerson(person, await recordExport(context, options));
            const document = format === 'json' ? `${JSON.stringify(all)}\n` : renderPersonHtml(all);
            if (file === undefined) {
              process.stdout.write(document);
            } else {
              writeFileSync(file, document, { flush: true });
            }
          });
          return out === undefined
            ? undefined
            : createOutput(
                { file: out, user_id: user },
                (exported) => `${exported.file}: all that is stored of ${exported.user_id}.\n`,
              );
        }),
      ),
    );
}

/** Records the export, and returns what is stored about the person besides the health data. */
async function recordExport(
  context: CommandContext,
  { team, user }: PersonOptions,
): Promise<Record<string, unknown>> {
  await context.log.record({
    ...{ operation: 'exportPerson', team_id: team, patients: [user], record_count: 1 },
    details: {},
  });
  const records = await context.findRecords({ about: user, team, decision: 'allowed' });
  return await context.readAccess(async (access) => {
    const grants = await access.breakGlass.list({ teamId: team, all: true });
    return {
      ...{ team_id: team, user_id: user, exported_at: new Date().toISOString() },
      emergency_accesses: grants
        .filter((grant) => grant.user_id === user)
        .map((grant) => toGrantJson(grant)),
      read_by: await listDisclosures(access, team, records.filter(isResponseRecord)),
    };
  });
}

async function listDisclosures(
  access: AccessStore,
  team: string,
  records: readonly AuditRecord[],
): Promise<Disclosure[]> {
  const ids = new RecordIds(await access.secrets.getPermanentSecret());
  const names = await access.names.findNames(team, {
    actors: records.map((record) => record.actor_id),
    desks: records.map((record) => record.device_id),
    grants: records.map((record) => record.break_glass_id),
  });
  return records.map((record) => {
    const recordId = ids.encrypt({ logId: record.log_id, seq: record.seq });
    return describeDisclosure({ recordId, record }, names);
  });
}
