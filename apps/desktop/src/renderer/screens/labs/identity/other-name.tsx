import { UserSearch } from 'lucide-react';
import type { ReactElement } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { hidden, useMasked } from '../../../state/mask.tsx';
import type { Person } from '../../../state/person.ts';
import { useIdentity } from '../../../state/people/identity.ts';
import { useText } from '../../../text/text.tsx';
import { isSamePatient } from './identity-check.ts';
import styles from '../labs.module.css';

/** Says that a report names somebody else than the person who is open; names change, so it shuts nothing. */
export function OtherName(props: {
  readonly patient: string | null | undefined;
  readonly person: Person;
}): ReactElement | null {
  const { patient, person } = props;
  const text = useText();
  const masked = useMasked();
  const { name } = useIdentity(person);
  if (!patient || name === undefined || isSamePatient({ patient }, { patient: name })) return null;
  const shown = (of: string): string => (masked ? hidden : `\u2068${of}\u2069`);
  return (
    <p role="alert" className={styles['otherName']}>
      <Icon of={UserSearch} />
      {text('identity.otherName', { report: shown(patient), person: shown(name) })}
    </p>
  );
}
