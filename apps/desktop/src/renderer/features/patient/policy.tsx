import type { ReactElement } from 'react';
import type { Insurance } from '@caregate/domain';
import { Code } from '../../ui/controls.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Fact, Facts } from '../../ui/surfaces.tsx';
import { useMask } from '../../app/mask.tsx';
import type { Read } from '../../api/read.ts';
import { useText } from '../../i18n/text.tsx';
import { findWord } from '../insurance/insurance-facts.ts';
import { NotOffered, Part } from './part.tsx';
import styles from './overview.module.css';

export function Policies(props: {
  readonly primary: Read<Insurance>;
  readonly secondary: Read<Insurance>;
}): ReactElement {
  const { primary, secondary } = props;
  const text = useText();
  return (
    <>
      <Part
        title={text('insurance.titlePrimary')}
        about={primary.data && <Policyholder relationship={primary.data.value.relationship} />}
      >
        {primary.data !== undefined && <Policy insurance={primary.data.value} />}
        <NotOffered problem={primary.problem} />
        {primary.problem?.missing === 'insurance' && (
          <Quiet as="p" size="row13">
            {text('insurance.nonePrimary')}
          </Quiet>
        )}
      </Part>
      {secondary.data !== undefined && (
        <Part
          title={text('insurance.titleSecondary')}
          about={<Policyholder relationship={secondary.data.value.relationship} />}
        >
          <Policy insurance={secondary.data.value} />
        </Part>
      )}
    </>
  );
}

export function Policy({ insurance }: { readonly insurance: Insurance }): ReactElement {
  const text = useText();
  const mask = useMask();
  const { payor_code: payor, group_id: group, member_id: member } = insurance;
  return (
    <>
      <b>
        <Code>{mask(payor)}</Code>
      </b>
      <Facts className={`${styles['facts'] ?? ''} ${styles['policy'] ?? ''}`}>
        <Fact label={text('insurance.memberId')}>
          <b>
            <Code>{mask(member)}</Code>
          </b>
          <CopyButton
            value={member}
            label={text('insurance.copy', { field: text('insurance.memberId') })}
          />
        </Fact>
        {group && (
          <Fact label={text('insurance.groupId')}>
            <Code>{mask(group)}</Code>
          </Fact>
        )}
      </Facts>
    </>
  );
}

export function Policyholder({ relationship }: { readonly relationship: string }): ReactElement {
  const text = useText();
  const word = findWord({
    label: 'insurance.relationship',
    kind: 'relationship',
    value: relationship,
  });
  return word === undefined ? (
    <bdi>{text('value.quoted', { value: relationship })}</bdi>
  ) : (
    <>{text(word)}</>
  );
}
