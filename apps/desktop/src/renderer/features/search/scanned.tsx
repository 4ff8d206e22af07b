import { ScanBarcode } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button, Code, KeyCap } from '../../ui/controls.tsx';
import { timeText } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PlainCopy } from '../../ui/copy-button.tsx';
import { looksLikeOrder, useLookUp, useSearchText } from '../../app/look-up.tsx';
import type { LookUp } from '../../app/look-up.tsx';
import { useMask, useMasked } from '../../app/mask.tsx';
import { useSelection } from '../../app/selection.tsx';
import { capOf, useCommand } from '../../app/keyboard.ts';
import { useText } from '../../i18n/text.tsx';
import { Keys } from './keys.tsx';
import styles from './scanned.module.css';

/** Names the code and its time before the answer; nothing of the person before is left. */
export function ScanPending({ of }: { of: NonNullable<LookUp['pending']> }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { cancel } = useLookUp();
  const { id, closed, scannedAt } = of;
  return (
    <section aria-label={text('lookUp.label')} className="column bleed">
      <Row className={`between ${styles['top'] ?? ''}`}>
        <div role="status">
          <h1 className="wrap">{text('lookUp.pending', { id: mask(id) })}</h1>
        </div>
        <Button onPress={cancel}>
          {text('state.cancel')}
          <KeyCap isSilent keys={capOf('escape')} />
        </Button>
      </Row>
      <div className={`grow ${styles['body'] ?? ''}`}>
        <div className="stack gap4">
          <p className="quiet">
            {scannedAt !== undefined &&
              text('scan.at', { time: timeText(intl, scannedAt, { seconds: true }) })}{' '}
            {closed === true && text('lookUp.closed')}
          </p>
          <Loading what="screen.person" rows={8} />
        </div>
      </div>
      <Keys
        of={[
          [capOf('escape'), 'scan.cancel'],
          [capOf('lock'), 'status.lock'],
          [undefined, 'scan.replaces'],
        ]}
      />
    </section>
  );
}

/** No error: the card may be another clinic's. Enter goes on by name, F2 edits the code. */
export function ScanUnknown({ of }: { of: NonNullable<LookUp['failure']> }): ReactElement {
  const text = useText();
  const mask = useMask();
  const { dismiss } = useLookUp();
  const { setTyped } = useSearchText();
  const { openOrder } = useSelection();
  const byName = useRef<HTMLButtonElement>(null);
  const isMasked = useMasked();
  const { id, closed } = of;
  useEffect(() => {
    byName.current?.focus();
  }, []);
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
        <Row className={styles['actions']}>
          <Button ref={byName} kind="main" onPress={dismiss}>
            {text('scan.byName')}
            <KeyCap isSilent keys="Enter" />
          </Button>
          <Button onPress={edit}>
            {text('scan.correct')}
            <KeyCap isSilent keys={capOf('correctScan')} />
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
        <p className="quiet">
          {text('scan.again')} {closed === true && text('lookUp.closed')}
        </p>
      </div>
      <Keys
        of={[
          [capOf('previousPatient'), 'scan.before'],
          [capOf('escape'), 'notice.close'],
          [capOf('help'), 'find.keyAll'],
        ]}
      />
    </section>
  );
}
