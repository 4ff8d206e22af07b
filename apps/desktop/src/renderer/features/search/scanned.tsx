import { ScanBarcode } from 'lucide-react';
import { Button, Code, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout.tsx';
import { PlainCopy } from '../../ui/copy-button.tsx';
import { looksLikeOrder, useLookUp, type LookUp } from '../../app/look-up.tsx';
import { useMask, useMasked } from '../../app/mask.tsx';
import { useSelection } from '../../app/selection.tsx';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useWorkspace } from '../../app/workspace.tsx';
import { useText } from '../../i18n/text.tsx';
import { KeyHints } from './search-notes.tsx';
import styles from './search.module.css';

/** Shown for an unknown code. It isn't shown as an error, since the card may be from another clinic. */
export function ScanUnknown({ of }: { of: NonNullable<LookUp['failure']> }) {
  const text = useText();
  const mask = useMask();
  const { dismiss } = useLookUp();
  const { setTyped } = useWorkspace();
  const { openOrder } = useSelection();
  const isMasked = useMasked();
  const { id, closed } = of;
  const edit = (): void => {
    setTyped(id);
    dismiss();
  };
  useCommand('correctScan', edit);
  return (
    <section aria-label={text('lookUp.label')} className="column bleed">
      <div className={`center gap3 grow ${styles['unknown'] ?? ''}`}>
        <Icon of={ScanBarcode} big />
        <div role="alert">
          <h1>{text('scan.unknown')}</h1>
        </div>
        <p className={styles['code']}>
          <Code>{mask(id)}</Code>
        </p>
        <p className="quiet">{text('scan.unknownHelp')}</p>
        <Row>
          <Button autoFocus kind="main" onPress={dismiss}>
            {text('scan.byName')}
            <KeyCap isSilent keys="Enter" />
          </Button>
          <Button onPress={edit}>
            {text('scan.correct')}
            <KeyCap isSilent keys={formatKeys('correctScan')} />
          </Button>
          {looksLikeOrder(id) && (
            <Button
              onPress={() => {
                dismiss();
                openOrder(id);
              }}
            >
              {text('find.asOrder')}
            </Button>
          )}
          {!isMasked && <PlainCopy value={id} label={text('labs.copy')} />}
        </Row>
        {closed === true && <p className="quiet">{text('lookUp.closed')}</p>}
      </div>
      <KeyHints
        keys={[
          [formatKeys('previousPatient'), 'keys.before'],
          [formatKeys('escape'), 'notice.close'],
          [formatKeys('help'), 'find.keyAll'],
        ]}
      />
    </section>
  );
}
