import { Copy } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { Insurance } from '@caregate/domain';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { useCopy } from '../../state/clipboard.ts';
import { useText } from '../../text/text.tsx';
import { Facts, useFactText } from './facts.tsx';
import { cardFacts, insuredFacts, insuredHeading } from './insurance-facts.ts';
import styles from './insurance.module.css';

/** An insurance as the screen has it: its numbers, large, and in whose name it is; above them what can be done with it. */
export function InsuranceDetails(props: {
  readonly insurance: Insurance;
  readonly children?: ReactNode;
}): ReactElement {
  const { insurance, children } = props;
  const text = useText();
  return (
    <div className={styles['coverage']}>
      {children}
      <Facts facts={cardFacts(insurance)} large />
      <h3 className={styles['heading']}>{text(insuredHeading(insurance))}</h3>
      <Facts facts={insuredFacts(insurance)} />
    </div>
  );
}

/** Copies all of an insurance at once, a line each, as it is shown: one copy, one record. */
export function CopyAll({ insurance }: { insurance: Insurance }): ReactElement {
  const text = useText();
  const show = useFactText();
  const lines = [...cardFacts(insurance), ...insuredFacts(insurance)].map(
    (fact) => `${text(fact.label)}: ${show(fact) ?? text('state.notRecorded')}`,
  );
  const { message, copy } = useCopy(lines.join('\n'));
  return (
    <span className={styles['copyAll']}>
      <Button kind="quiet" onPress={copy}>
        <Icon of={Copy} />
        {text('insurance.copyAll')}
      </Button>
      <span role="status" className={styles['copied']}>
        {message === undefined ? '' : text(message)}
      </span>
    </span>
  );
}
