import { nodeDisk } from '@caregate/audit-log';
import { Command } from 'commander';
import { upgradeLog } from '../../audit/old-log/upgrade-log.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { readDatabaseUrl } from '../../config/read-config.ts';
import { told } from '../start/run-command.ts';
import { auditWork, withData } from './audit-work.ts';

const help = `
Stop the service first. The log must verify, with a checkpoint signed by its key that covers records of it; no log of this
version may have been in the folder, and no cut after that checkpoint counts. Records after its last checkpoint are
marked as unproved. Its tree stays the same, so kept checkpoints and proofs stay valid. A new signing key replaces the old:
keep its public key in another place. The old file is kept as audit.db.upgraded.`;

/** `caregate audit upgrade`: takes over the log of an earlier version. */
export function auditUpgradeCommand(): Command {
  return withData(new Command('upgrade'))
    .summary('take over the audit log of an earlier version (audit.db)')
    .addHelpText('after', help)
    .action(({ data }: { readonly data: string }) =>
      auditWork((progress) => {
        if (readDatabaseUrl(process.env) !== '') {
          throw new OperatorError(
            'The logs of a database are taken over by the service itself. Unset DATABASE_URL to upgrade the log of a data folder.',
          );
        }
        const { records, proved, erased, publicKey } = upgradeLog(
          data,
          nodeDisk,
          (what, done, of) => {
            progress.draw(`${what} records`, done, of);
          },
        );
        const unproved =
          proved === records
            ? 'All are proved by its last checkpoint.'
            : `Records ${proved} to ${records - 1} follow its last checkpoint and are marked as unproved.`;
        const cut =
          erased === 0
            ? ''
            : ` Records 0 to ${erased - 1} had been erased by a cut, by the log's own word: cuts carried no signatures of approvers.`;
        return told(
          { records, proved, erased, public_key: publicKey },
          `${records} records were taken over. ${unproved}${cut}\nNew public key: ${publicKey}\n`,
        );
      }),
    );
}
