import { Command } from 'commander';
import { LogIndex } from '@caregate/audit-log';
import { openLog } from '../../audit/offline/open-log.ts';
import { output } from '../start/run-command.ts';
import { auditWork, withData } from './audit-work.ts';

/** `caregate audit reindex`: makes the index of the log again. */
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
        let index: LogIndex | undefined;
        try {
          index = LogIndex.of(data, log);
          await index.rebuild((done, of) => {
            progress.draw('records', done, of);
          });
          return output({ indexed: index.size }, `${index.size} records were indexed.\n`);
        } finally {
          index?.close();
          log.close();
        }
      }),
    );
}
