import { Search, X } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, IconButton } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Row } from '../../components/layout.tsx';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { useAuditSubject } from '../../state/audit-subject.tsx';
import type { Subject } from '../../state/audit-subject.tsx';
import { useAutoFocus } from '../../state/navigation.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';

export function SubjectForm(): ReactElement {
  const { subject } = useAuditSubject();
  // A code that is scanned elsewhere appears in the field too.
  return <Form key={`${subject?.kind ?? ''} ${subject?.id ?? ''}`} />;
}

function Form(): ReactElement {
  const text = useText();
  const { subject, setSubject } = useAuditSubject();
  const [kind, setKind] = useState<Subject['kind']>(subject?.kind ?? 'patient');
  const [typed, setTyped] = useState(subject?.name ?? subject?.id ?? '');
  const field = useAutoFocus<HTMLInputElement>();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const id = typed.trim();
    if (id === subject?.name) return;
    setSubject(id === '' ? undefined : { kind, id });
  };
  return (
    <Row as="form" onSubmit={onSubmit}>
      <SegmentedControl
        quiet
        label={text('audit.about')}
        value={kind}
        options={[
          ['patient', text('audit.patient')],
          ['actor', text('audit.actor')],
        ]}
        onChange={setKind}
      />
      <span className={styles['field']}>
        <Icon of={Search} />
        <input
          ref={field}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          aria-label={text(kind === 'patient' ? 'audit.patientId' : 'audit.actorId')}
          placeholder={text(kind === 'patient' ? 'audit.patientHint' : 'audit.actorHint')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
        />
        {subject !== undefined && (
          <IconButton
            icon={X}
            label={text('audit.clear')}
            onPress={() => {
              setSubject(undefined);
            }}
          />
        )}
      </span>
      <Button type="submit">{text('audit.show')}</Button>
    </Row>
  );
}
