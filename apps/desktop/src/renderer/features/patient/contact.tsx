import type { ReactElement } from 'react';
import type { UserInfo } from '@caregate/domain';
import { Code } from '../../ui/controls.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Fact, Facts } from '../../ui/surfaces.tsx';
import { formatPhone } from '../../ui/values/phone.ts';
import { useMask } from '../../app/mask.tsx';
import type { Read } from '../../api/read.ts';
import { useText } from '../../i18n/text.tsx';
import { NotOffered, Part } from './part.tsx';
import styles from './overview.module.css';

function formatAddressLines(address: UserInfo['address']): readonly string[] {
  const state = [address?.state, address?.zip].filter(Boolean).join(' ');
  const place = [address?.city, state].filter(Boolean).join(', ');
  const lines = [address?.first_line, address?.second_line, place, address?.country];
  return lines.flatMap((line) => line || []);
}

export function ContactPart(props: {
  readonly info: Read<UserInfo>;
  readonly mayLook: boolean;
}): ReactElement {
  const { info, mayLook } = props;
  const text = useText();
  return (
    <Part title={text('overview.contact')}>
      {info.data !== undefined && <Contact info={info.data.value} />}
      {!mayLook && <p className="quiet row13">{text('person.infoShut')}</p>}
      <NotOffered problem={info.problem} />
      {mayLook && info.problem?.kind === 'notFound' && (
        <Quiet as="p" size="row13" role="status">
          {text('person.noInfo')}
        </Quiet>
      )}
    </Part>
  );
}

export function Contact({ info }: { readonly info: UserInfo }): ReactElement {
  const text = useText();
  const mask = useMask();
  const { phone_number: phone, email, address } = info;
  const lines = formatAddressLines(address);
  const facts = [
    [text('person.phone'), phone && formatPhone(phone), phone],
    [text('person.email'), email, email],
  ] as const;
  return (
    <Facts className={styles['facts']}>
      {facts.map(([label, shown, copied]) => (
        <Fact key={label} label={label}>
          {shown ? <Code>{mask(shown)}</Code> : text('state.notRecorded')}
          {copied && <CopyButton value={copied} label={text('insurance.copy', { field: label })} />}
        </Fact>
      ))}
      <Fact label={text('person.address')}>
        {lines.length === 0
          ? text('state.notRecorded')
          : mask(
              <span>
                {lines.map((line, index) => (
                  <bdi key={index} className={styles['line']}>
                    {line}
                  </bdi>
                ))}
              </span>,
            )}
      </Fact>
    </Facts>
  );
}
