import { CircleCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { Banner } from '../../components/surfaces.tsx';
import { useStatus } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { OneFieldForm, OtherClinic } from './gate-form.tsx';
import styles from './gate.module.css';

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
