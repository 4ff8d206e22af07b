import { Heading } from 'react-aria-components/Heading';
import { Button, KeyCap } from '../ui/controls.tsx';
import { Quiet } from '../ui/layout.tsx';
import { formatKeys, COMMANDS, type CommandId } from './keyboard.ts';
import { useIsAuditor } from './me.tsx';
import { AUDIT_RAIL, TABS } from './navigation.tsx';
import { useText, type MessageKey } from '../i18n/text.tsx';
import { Overlay } from '../ui/overlay.tsx';
import styles from './key-list.module.css';

export default function KeyList({ onClose }: { onClose: () => void }) {
  const text = useText();
  const isAuditor = useIsAuditor();
  const tabs = isAuditor ? AUDIT_RAIL : TABS;
  const ids = (Object.keys(COMMANDS) as CommandId[]).filter(
    (id) => !(isAuditor && 'isOfPatients' in COMMANDS[id]),
  );
  const all = ids.flatMap((id): readonly (readonly [cap: string, does: MessageKey])[] => {
    if (id === 'screen') {
      return tabs.map((name, place) => [formatKeys(id, place + 1), `screen.${name}`]);
    }
    return [[formatKeys(id, id === 'switchUser' ? '1 – 9' : ''), COMMANDS[id].text]];
  });
  return (
    <Overlay place="top" onClose={onClose} className={styles['keys'] ?? ''}>
      <Heading slot="title">{text('keys.title')}</Heading>
      <dl className={styles['list']}>
        {all.map(([cap, does]) => (
          <div key={cap}>
            <dt>
              <KeyCap keys={cap} />
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
