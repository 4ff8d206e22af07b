import type { Insurance } from '@caregate/domain';
import { Code } from '../../ui/controls.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Facts } from '../../ui/surfaces.tsx';
import { useMask } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import { useFormatPolicyholder } from '../insurance/insurance-facts.ts';
import { NotOffered, Part } from './part.tsx';
import type { OverviewReads } from './use-overview.ts';
import styles from './overview.module.css';

export function Policies(props: {
  readonly overview: Pick<OverviewReads, 'primary' | 'secondary' | 'isClinician'>;
}) {
  const { primary, secondary, isClinician } = props.overview;
  const text = useText();
  return (
    <>
      {primary.data === undefined ? (
        <Part title={text('insurance.primary')}>
          <NotOffered problem={primary.problem} />
          {primary.problem?.missing === 'insurance' && (
            <Quiet as="p" size="row13">
              {text('insurance.nonePrimary')}
            </Quiet>
          )}
        </Part>
      ) : (
        <Policy which="primary" insurance={primary.data.value} hasNames={!isClinician} />
      )}
      {secondary.data !== undefined && (
        <Policy which="secondary" insurance={secondary.data.value} hasNames={!isClinician} />
      )}
    </>
  );
}

/** @param props.hasNames whether the sentence includes the policyholder's name */
export function Policy(props: {
  readonly which: 'primary' | 'secondary';
  readonly insurance: Insurance;
  readonly hasNames: boolean;
}) {
  const { which, insurance, hasNames } = props;
  const text = useText();
  const mask = useMask();
  const formatPolicyholder = useFormatPolicyholder();
  const { payor_code: payor, group_id: group, member_id: member } = insurance;
  const payer = (
    <b className={`body bold ${styles['payer'] ?? ''}`}>
      <Code>{mask(payor)}</Code>
    </b>
  );
  const sentence = mask(formatPolicyholder(insurance, hasNames));
  return (
    <Part title={text(`insurance.${which}`)} about={hasNames ? payer : sentence}>
      {!hasNames && payer}
      <Facts
        className={styles['policy']}
        entries={[
          [text('insurance.memberId'), <Code key="member">{mask(member)}</Code>],
          ...(group
            ? [[text('insurance.groupId'), <Code key="group">{mask(group)}</Code>] as const]
            : []),
        ]}
      />
      {hasNames && <p className="quiet row13">{sentence}</p>}
    </Part>
  );
}
