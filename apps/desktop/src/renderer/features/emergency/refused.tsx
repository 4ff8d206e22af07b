import { LockKeyhole, Siren } from 'lucide-react';
import { READ_OPERATIONS, type ReadOperation } from '@caregate/domain/operations';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { useRole } from '../../app/me.tsx';
import { SCREEN_OPERATIONS, useAutoFocus, type ScreenName } from '../../app/navigation.tsx';
import { useSelection } from '../../app/selection.tsx';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import styles from './emergency.module.css';
import { useEmergencyDialog } from './use-emergency-dialog.tsx';

const reads: Readonly<Record<string, ReadOperation>> = READ_OPERATIONS;

export default function RefusedScreen(props: {
  readonly screen: ScreenName;
  readonly may: 'no' | 'emergency';
}) {
  const { screen, may } = props;
  const text = useText();
  const intl = useIntl();
  const formatRole = useFormatRole();
  const role = useRole();
  const { person } = useSelection();
  const { open, dialog } = useEmergencyDialog();
  const main = useAutoFocus<HTMLButtonElement>();
  // A clinic may have narrowed the user's own role.
  const read = reads[SCREEN_OPERATIONS[screen] ?? ''];
  const roles: readonly string[] = read?.roles.filter((one) => one !== role) ?? [];
  const who = role === undefined ? text('refused.you') : formatRole(role);
  const mayAsk = may === 'emergency';
  return (
    <section className={`center gap3 ${styles['refused'] ?? ''}`}>
      <Icon big of={LockKeyhole} />
      <h1>{text('refused.title', { role: who, screen: text(`screen.${screen}`) })}</h1>
      {roles.length > 0 && (
        <Quiet as="p">
          {text('refused.who', {
            roles: intl.formatList(
              roles.map((one) => formatRole(one)),
              { type: 'conjunction' },
            ),
          })}
        </Quiet>
      )}
      {mayAsk && (
        <Button kind="danger" ref={main} isDisabled={person === undefined} onPress={open}>
          <Icon of={Siren} />
          {text('emergency.open')}
        </Button>
      )}
      {mayAsk && person === undefined && <Quiet as="p">{text('emergency.personFirst')}</Quiet>}
      {dialog}
    </section>
  );
}
