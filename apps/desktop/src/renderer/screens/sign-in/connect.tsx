import { Network } from 'lucide-react';
import type { ReactElement } from 'react';
import type { ProblemKind } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { Banner } from '../../components/surfaces.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { problemOf, unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { OneFieldForm } from './gate-form.tsx';
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
  'offline',
  'timeout',
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
