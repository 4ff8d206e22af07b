import { Command } from 'commander';
import { FolderIndex } from '@caregate/audit-log';
import { indexedMembers } from '../../audit/record/record-body.ts';
import { openLog } from '../../audit/offline/open-log.ts';
import { output } from '../start/run-command.ts';
import { auditWork, withData } from './audit-work.ts';

export function auditReindexCommand(): Command {
  return withData(new Command('reindex'))
    .summary('make the index of the log again; the service can keep running')
    .addHelpText(
      'after',
      '\nThe index only finds records. What is shown is always read from the log, and proofs never use the index.',
    )
    .action(({ data }: { readonly data: string }) =>
      auditWork(async (progress) => {
        const log = openLog(data);
        try {
          const indexed = await FolderIndex.rebuild(data, log, indexedMembers, (done, of) => {
            progress.draw('records', done, of);
          });
          return output({ indexed }, `${indexed} records were indexed.\n`);
        } finally {
          log.close();
        }
      }),
    );
}
