import { CircleCheck, Network } from 'lucide-react';
import type { ReactElement } from 'react';
import { UNREACHED } from '../../../bridge/problem.ts';
import type { ProblemKind } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { Banner } from '../../components/surfaces.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { useStatus } from '../../state/app-state.ts';
import { problemOf, unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { OneFieldForm, OtherClinic } from './gate-form.tsx';
import styles from './gate.module.css';

export function Connect(props: {
  readonly address: string;
  readonly onDone: (address: string) => void;
}): ReactElement {
  const { address, onDone } = props;
  const text = useText();
  const proposed = useAnswer(
    address === '' ? () => window.caregate.proposeService({}) : undefined,
  )?.address;
  return (
    <OneFieldForm
      title={text('connect.title')}
      lead={text('connect.help')}
      label={text('connect.address')}
      help={text('signIn.addressHelp')}
      missing={text('signIn.typeAddress')}
      working={text('connect.working')}
      maxLength={2048}
      first={address}
      isAtField={({ kind }) => addressProblems.includes(kind)}
      send={lookUp}
      onDone={onDone}
      below={({ typed, setTyped, input }) =>
        proposed !== undefined &&
        typed === '' && (
          <Proposal
            address={proposed}
            onConfirm={() => {
              setTyped(proposed);
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}

/** Anybody on the network could propose it, so somebody has to confirm it. */
export function Proposal(props: {
  readonly address: string;
  readonly onConfirm: () => void;
}): ReactElement {
  const { address, onConfirm } = props;
  const text = useText();
  return (
    <Banner kind="accent" icon={Network} role="status" className={styles['roomy']}>
      <p>
        <b>{text('connect.proposed')}</b>
        <br />
        <code dir="ltr">{address}</code>
        <br />
        {text('connect.proposedHelp')}
      </p>
      <Button onPress={onConfirm}>{text('connect.useProposed')}</Button>
    </Banner>
  );
}

/** Shown at the field. */
export const addressProblems: readonly ProblemKind[] = [
  'invalidAddress',
  'insecureAddress',
  'fixedAddress',
];

/** The address can't be used now. */
const unreachable: readonly ProblemKind[] = [
  ...addressProblems,
  ...UNREACHED,
  'untrustedCertificate',
  'serviceTooOld',
  'deskTooOld',
];

/** Any other problem: a service without people, where a key may sign in. */
async function lookUp(address: string): Promise<unknown> {
  return unwrap(window.caregate.lookUpService({ address })).catch((error: unknown) => {
    if (unreachable.includes(problemOf(error).kind)) throw error;
  });
}

/** Makes this computer a desk of the clinic, again after a revocation. */
export function Enrol({ onBack }: { onBack: (() => void) | undefined }): ReactElement {
  const text = useText();
  const { address, reason } = useStatus();
  const isRevoked = reason === 'deskRevoked';
  return (
    <OneFieldForm
      title={text(isRevoked ? 'enrol.revoked' : 'enrol.title')}
      lead={text(isRevoked ? 'reason.deskRevoked' : 'enrol.help')}
      label={text('enrol.code')}
      help={text('enrol.codeHelp')}
      missing={text('enrol.typeCode')}
      working={text('enrol.working')}
      maxLength={40}
      autoComplete="off"
      isAtField={({ kind }) => kind === 'enrolmentRefused'}
      send={(code) => unwrap(window.caregate.enrolDesk({ address, code: code.trim() }))}
      above={<Found />}
      others={<OtherClinic onPress={onBack} />}
    />
  );
}

function Found(): ReactElement | null {
  const text = useText();
  const { clinicName, address } = useStatus();
  if (!URL.canParse(address)) return null;
  const { protocol, hostname } = new URL(address);
  return (
    <Banner kind="good" icon={CircleCheck} role="status" className={styles['roomy']}>
      <p>
        <b>{text('connect.found', { clinic: clinicName ?? hostname })}</b>
        <br />
        {protocol === 'https:'
          ? text('connect.private', { host: hostname })
          : text('connect.local')}
      </p>
    </Banner>
  );
}
