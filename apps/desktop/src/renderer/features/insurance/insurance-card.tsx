import { Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Insurance } from '@caregate/domain';
import { Button, Code } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Facts } from '../../ui/surfaces.tsx';
import { useCopy } from '../../app/clipboard.ts';
import { useMask } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import { useReadInsurance, type Fact } from './insurance-facts.ts';
import type { Which } from './insurance-document.ts';
import styles from './insurance.module.css';

export function InsuranceCard(props: { readonly which: Which; readonly insurance: Insurance }) {
  const { which, insurance } = props;
  const text = useText();
  const mask = useMask();
  const facts = useReadInsurance()(insurance);
  const { ids, payer, policyholder, relationship, details, guarantor } = facts;
  const formatLine = ({ label, value = text('state.notRecorded') }: Fact): string =>
    `${text(label)}: ${value.replaceAll('\n', ', ')}`;
  const copy = useCopy(
    [
      ...[payer, ...ids, policyholder].map(formatLine),
      relationship,
      ...details.map(formatLine),
      ...(guarantor.length === 0 ? [] : [text('insurance.guarantor')]),
      ...guarantor.map(formatLine),
    ].join('\n'),
  );
  const toEntry = (fact: Fact): readonly [string, ReactElement] => [
    text(fact.label),
    <FactValue key={fact.label} fact={fact} />,
  ];
  return (
    <section aria-label={text(`insurance.${which}`)} className={styles['card']}>
      <div className={`line between ${styles['head'] ?? ''}`}>
        <h2>
          <Quiet size="meta">{text(`insurance.${which}`)}</Quiet>
          <FactValue fact={payer} />
        </h2>
        <Button onPress={copy}>
          <Icon of={Copy} />
          {text('insurance.copyCard')}
        </Button>
      </div>
      <Facts className={styles['ids']} entries={ids.map(toEntry)} />
      <div className={`stack ${styles['policyholder'] ?? ''}`}>
        <Quiet size="meta">{text(policyholder.label)}</Quiet>
        <b>
          <FactValue fact={policyholder} />
        </b>
        <span>{mask(relationship)}</span>
      </div>
      <Facts className={styles['details']} entries={details.map(toEntry)} />
      {guarantor.length > 0 && (
        <>
          <h3>{text('insurance.guarantor')}</h3>
          <Facts className={styles['details']} entries={guarantor.map(toEntry)} />
        </>
      )}
    </section>
  );
}

function FactValue({ fact }: { readonly fact: Fact }) {
  const { value, isCode = false } = fact;
  const text = useText();
  const mask = useMask();
  if (value === undefined) return <Quiet>{text('state.notRecorded')}</Quiet>;
  return isCode ? <Code>{mask(value)}</Code> : <bdi>{mask(value)}</bdi>;
}
