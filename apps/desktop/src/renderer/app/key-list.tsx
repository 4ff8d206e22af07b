import type { ReactElement } from 'react';
import { Heading } from 'react-aria-components/Heading';
import { Button } from '../ui/controls.tsx';
import { Quiet } from '../ui/layout.tsx';
import { useIsAuditor } from './me.tsx';
import { AUDIT_RAIL, TABS } from './navigation.tsx';
import { useText } from '../i18n/text.tsx';
import type { MessageKey } from '../i18n/text.tsx';
import { Overlay } from '../ui/overlay.tsx';
import styles from './key-list.module.css';

const keys: readonly (readonly [keys: string, does: MessageKey])[] = [
  ['Ctrl P', 'print.send'],
  ['Ctrl Shift P', 'keys.quickPrint'],
  ['F8', 'keys.mask'],
  ['Ctrl L', 'status.lock'],
  ['Alt 1 – 9', 'keys.card'],
  ['Ctrl +', 'keys.zoomIn'],
  ['Ctrl −', 'keys.zoomOut'],
  ['Ctrl 0', 'keys.zoomReset'],
  ['F1', 'keys.title'],
  ['Esc', 'keys.escape'],
];

/** Not at an auditor's desk. */
const ofPeople: typeof keys = [
  ['Ctrl K', 'screen.find'],
  ['Ctrl Tab', 'keys.before'],
  ['Alt ↑ / ↓', 'keys.orders'],
  ['Alt A', 'labs.abnormalFirst'],
  ['Alt T', 'labs.view.overTime'],
  ['Ctrl B', 'keys.label'],
  ['Ctrl Shift B', 'keys.labelSetUp'],
];

export function KeyList({ onClose }: { onClose: () => void }): ReactElement {
  const text = useText();
  const isAuditor = useIsAuditor();
  const all = [
    ...(isAuditor ? [] : ofPeople),
    ...(isAuditor ? AUDIT_RAIL : TABS).map(
      (name, index) => [`Ctrl ${String(index + 1)}`, `screen.${name}`] as const,
    ),
    ...keys,
  ];
  return (
    <Overlay place="top" onClose={onClose} className={styles['keys'] ?? ''}>
      <Heading slot="title">{text('keys.title')}</Heading>
      <dl className={`stack gap2 ${styles['list'] ?? ''}`}>
        {all.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd dir="ltr" className={styles['kbd']}>
                {key}
              </kbd>
            </dt>
            <dd>{text(does)}</dd>
          </div>
        ))}
      </dl>
      <Quiet as="p">{text('keys.scanner')}</Quiet>
      <div>
        <Button autoFocus onPress={onClose}>
          {text('notice.close')}
        </Button>
      </div>
    </Overlay>
  );
}
