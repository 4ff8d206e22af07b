import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance } from '@caregate/domain';
import { Code } from '../../ui/controls.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { formatPhone } from '../../ui/values/phone.ts';
import { hidden, useMask, useMasked } from '../../app/mask.tsx';
import { Policyholder } from '../patient/policy.tsx';
import { useText } from '../../i18n/text.tsx';
import {
  listCardFacts,
  listGuarantorFacts,
  listInsuredFacts,
  getInsuredHeading,
  findWord,
} from './insurance-facts.ts';
import type { Fact } from './insurance-facts.ts';
import styles from './insurance.module.css';

export function InsuranceFacts({ insurance }: { insurance: Insurance }): ReactElement {
  const text = useText();
  const mask = useMask();
  const guarantor = listGuarantorFacts(insurance);
  const card = listCardFacts(insurance).filter(({ kind }) => kind !== 'relationship');
  return (
    <>
      <dl className={styles['large']}>
        {card.slice(0, 2).map((fact) => (
          <FactRow key={fact.label} fact={fact} />
        ))}
      </dl>
      <h3 className="head">{text(getInsuredHeading(insurance))}</h3>
      <p className="quiet row13">{mask(<Policyholder relationship={insurance.relationship} />)}</p>
      <dl className={`stack ${styles['facts'] ?? ''}`}>
        {[...listInsuredFacts(insurance), ...card.slice(2)].map((fact) => (
          <FactRow key={fact.label} fact={fact} />
        ))}
      </dl>
      {guarantor.length > 0 && (
        <>
          <h3 className="head">{text('insurance.guarantor')}</h3>
          <dl className={`stack ${styles['facts'] ?? ''}`}>
            {guarantor.map((fact) => (
              <FactRow key={fact.label} fact={fact} />
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function FactRow({ fact }: { fact: Fact }): ReactElement {
  const text = useText();
  const masked = useMasked();
  const shown = useFormatFact()(fact);
  const { label, value, kind } = fact;
  return (
    <div className={styles['fact']}>
      <dt>{text(label)}</dt>
      <dd>
        {shown === undefined ? (
          <span className={`quiet body ${styles['none'] ?? ''}`}>{text('state.notRecorded')}</span>
        ) : masked ? (
          hidden
        ) : kind === 'code' ? (
          <Code>{shown}</Code>
        ) : (
          <bdi title={kind === 'date' ? value : undefined}>{shown}</bdi>
        )}
        {value !== undefined && value !== '' && (
          <CopyButton value={value} label={text('insurance.copy', { field: text(label) })} />
        )}
      </dd>
    </div>
  );
}

/** Copies a whole insurance, a line for each fact: one copy, one record. */
export function CopyAll({ insurance }: { insurance: Insurance }): ReactElement {
  const text = useText();
  const formatFact = useFormatFact();
  const formatLine = (fact: Fact): string =>
    `${text(fact.label)}: ${formatFact(fact) ?? text('state.notRecorded')}`;
  const guarantor = listGuarantorFacts(insurance).map(formatLine);
  const lines = [
    ...[...listCardFacts(insurance), ...listInsuredFacts(insurance)].map(formatLine),
    ...(guarantor.length === 0 ? [] : [text('insurance.guarantor'), ...guarantor]),
  ];
  return (
    <span>
      <CopyButton value={lines.join('\n')}>{text('insurance.copyAll')}</CopyButton>
    </span>
  );
}

export function useFormatFact(): (fact: Fact) => string | undefined {
  const text = useText();
  const intl = useIntl();
  return useCallback(
    (fact) => {
      const { label, value, kind } = fact;
      const word = findWord(fact);
      if (word !== undefined) return text(word);
      if (label === 'person.phone' && value !== undefined) return formatPhone(value);
      return kind === 'date' && value !== undefined ? formatDate(intl, value) : value;
    },
    [intl, text],
  );
}
