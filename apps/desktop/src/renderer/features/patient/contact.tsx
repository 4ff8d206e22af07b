import { Mail, MapPin, Phone } from 'lucide-react';
import type { UserInfo } from '@caregate/domain';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Facts } from '../../ui/surfaces.tsx';
import { formatPhone } from '../../ui/values/phone.ts';
import { useMask } from '../../app/mask.tsx';
import { useText, type MessageKey } from '../../i18n/text.tsx';
import { NotOffered, Part } from './part.tsx';
import type { OverviewReads } from './use-overview.ts';
import styles from './overview.module.css';

export function ContactPart(props: {
  readonly overview: Pick<OverviewReads, 'info' | 'may' | 'isClinician'>;
}) {
  const { info, may, isClinician } = props.overview;
  const text = useText();
  const { data, problem } = info;
  return (
    <Part
      title={text('overview.contact')}
      action={
        data !== undefined &&
        !isClinician && (
          <CopyButton
            value={listContact(data.value)
              .flatMap(({ lines }) => lines)
              .join('\n')}
          >
            {text('labs.copy')}
          </CopyButton>
        )
      }
    >
      {data !== undefined && <Contact info={data.value} hasCopies={isClinician} />}
      {!may.info && <p className="quiet row13">{text('person.infoShut')}</p>}
      <NotOffered problem={problem} />
      {may.info && problem?.kind === 'notFound' && (
        <Quiet as="p" size="row13" role="status">
          {text('person.noInfo')}
        </Quiet>
      )}
    </Part>
  );
}

/** @param props.hasCopies whether each line has a copy button instead of an icon */
export function Contact(props: { readonly info: UserInfo; readonly hasCopies: boolean }) {
  const { info, hasCopies } = props;
  const text = useText();
  const mask = useMask();
  return (
    <Facts className={styles['contact']}>
      {listContact(info).map(({ label, icon, lines }) => (
        <div key={label}>
          <dt>
            {!hasCopies && <Icon of={icon} />}
            {text(label)}
          </dt>
          <dd className="line between">
            <span>
              {lines.length === 0 ? text('state.notRecorded') : mask(<Lines lines={lines} />)}
            </span>
            {hasCopies && lines.length > 0 && (
              <CopyButton
                value={lines.join('\n')}
                label={text('insurance.copy', { field: text(label) })}
              />
            )}
          </dd>
        </div>
      ))}
    </Facts>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <bdi key={line} className={styles['line']}>
          {line}
        </bdi>
      ))}
    </>
  );
}

interface ContactFact {
  readonly label: MessageKey;
  readonly icon: typeof Phone;
  readonly lines: readonly string[];
}

export function listContact(info: UserInfo): readonly ContactFact[] {
  const { phone_number: phone, email, address } = info;
  const street = [address?.first_line, address?.second_line].filter(Boolean).join(', ');
  const state = [address?.state, address?.zip].filter(Boolean).join(' ');
  const place = [address?.city, state].filter(Boolean).join(', ');
  const country = address?.country === 'US' ? undefined : address?.country;
  const toLines = (...lines: readonly (string | null | undefined)[]): readonly string[] =>
    lines.flatMap((line) => line || []);
  return [
    { label: 'person.phone', icon: Phone, lines: toLines(phone && formatPhone(phone)) },
    { label: 'person.email', icon: Mail, lines: toLines(email) },
    { label: 'person.address', icon: MapPin, lines: toLines(street, place, country) },
  ];
}
