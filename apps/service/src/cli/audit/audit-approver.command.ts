import { Command, InvalidArgumentError, Option } from 'commander';
import { approverName, formatVerifierKey, type Approver } from '@caregate/audit-log';
import { adminOf, endorse, enrol, listApprovers, revoke } from '../../audit/retention/approvers.ts';
import type { KeyPrincipal } from '../../access/principal.ts';
import { withAccess } from '../start/open-access.ts';
import { ADMIN_KEY, readAdminKey } from './secret-input.ts';
import {
  createKeyFiles,
  readKeyFile,
  readPublicKey,
  type PassphraseFlag,
} from './approver-key-files.ts';
import { told } from '../start/run-command.ts';
import { auditWork, withLog } from './audit-work.ts';
import {
  cutWork,
  lines,
  withKey,
  withPassphrase,
  type DataFlag,
  type KeyFlags,
} from './cut-work.ts';

const approverHelp = `
Approvers agree on what is erased from the log: a retention cut takes a proposal and two approvals, signed with keys of
their own. Each makes a key pair (create) and keeps the private half, encrypted by a passphrase, outside the data folder.
An admin (API key of the role admin in ${ADMIN_KEY} or on standard input) enrols the public half. The first two are
enrolled by that alone; every later one must be endorsed by two approvers (endorse). Enrol at least three: with fewer than
two left, nothing can be cut from this log again. A revoked key cannot come back. All of it is recorded in the log and
shown by caregate audit alarms.`;

/** `caregate audit approver`: who approves retention cuts. */
export function auditApproverCommand(): Command {
  const approver = new Command('approver')
    .summary('manage the people who approve retention cuts, and their keys')
    .addHelpText('after', approverHelp);
  withPassphrase(approver.command('create'))
    .summary('make a key pair of your own, encrypted by a passphrase')
    .requiredOption('--out <file>', 'new file for the private key, outside the data folder')
    .requiredOption('--name <id>', 'your id in the log, such as dana.whitfield', name)
    .addOption(
      new Option('--data <dir>', 'data folder that the file must not be in').env('CAREGATE_DATA'),
    )
    .action(
      (
        flags: PassphraseFlag & {
          readonly out: string;
          readonly name: string;
          readonly data?: string;
        },
      ) =>
        auditWork(async () => {
          const { file, publicFile } = await createKeyFiles(flags.out, flags.name, flags);
          const text = [
            `Your private key is ${file}: keep it yourself. A forgotten passphrase cannot be recovered.`,
            `Its public half is ${publicFile}. An admin enrols it: caregate audit approver enrol ${publicFile}`,
            '',
          ].join('\n');
          return told({ file, public_file: publicFile }, text);
        }),
    );
  withLog(approver.command('enrol'))
    .summary('enrol the public half of the key of an approver; takes an admin key')
    .argument('<file.pub>', 'public key, or a file with it')
    .action((file: string, flags: DataFlag) =>
      cutWork(flags, async (store) => {
        const key = readPublicKey(file);
        const { isPending } = await enrol(store, key, () => admin(flags));
        const text = isPending
          ? `${key.name} is enrolled once two approvers have endorsed it: caregate audit approver endorse ${key.name} --key FILE\n`
          : `${key.name} is enrolled and may approve retention cuts.\n`;
        return told({ name: key.name, pending: isPending }, text);
      }),
    );
  withKey(withLog(approver.command('endorse')))
    .summary('endorse an approver who was enrolled after the first two')
    .argument('<name>', 'id of the approver to endorse')
    .action((endorsed: string, flags: KeyFlags) =>
      cutWork(flags, async (store) => {
        const key = await readKeyFile(flags.key, flags);
        const { by, isPending } = await endorse(store, endorsed, key);
        const text = isPending
          ? `${by} endorsed ${endorsed}. One more approver has to.\n`
          : `${by} endorsed ${endorsed}, who may approve retention cuts now.\n`;
        return told({ name: endorsed, by, pending: isPending }, text);
      }),
    );
  withLog(approver.command('list'))
    .summary('list approvers with their public keys, including revoked ones')
    .action((flags: DataFlag) =>
      cutWork(flags, async (store) => {
        const approvers = await listApprovers(store);
        return told(
          approvers.map(({ key, isPending, endorsedBy, ...known }) => ({
            ...known,
            ...{ key: formatVerifierKey(key), pending: isPending, endorsed_by: endorsedBy },
          })),
          lines(approvers.map(approverLine), 'No approvers.'),
        );
      }),
    );
  withLog(approver.command('revoke'))
    .summary('revoke the key of an approver; takes an admin key')
    .argument('<name>', 'id of the approver')
    .action((revoked: string, flags: DataFlag) =>
      cutWork(flags, async (store) => {
        const left = await revoke(store, revoked, () => admin(flags));
        const warning =
          left < 2 ? ' Nothing can be cut from this log unless two approvers are in force.' : '';
        return told(
          { name: revoked, left },
          `${revoked} was revoked; ${left} approvers are left.${warning}\n`,
        );
      }),
    );
  return approver;
}

async function admin({ data }: DataFlag): Promise<KeyPrincipal> {
  const key = await readAdminKey();
  return await withAccess(data, (access) => adminOf(access, key));
}

function approverLine({ name: id, key, seq, revoked, isPending, endorsedBy }: Approver): string {
  const endorsed = endorsedBy.length === 0 ? 'none' : endorsedBy.join(', ');
  const state =
    revoked !== undefined
      ? `revoked by record ${revoked}`
      : isPending
        ? `waits for two endorsements, has ${endorsed}`
        : 'in force';
  return `${id}  ${state}, enrolled by record ${seq}  ${formatVerifierKey(key)}`;
}

function name(text: string): string {
  if (!approverName.test(text)) {
    throw new InvalidArgumentError(
      'Expected up to 40 letters, digits and . _ - such as dana.whitfield.',
    );
  }
  return text;
}
