import { Pencil, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { momentText } from '../../../ui/values/dates.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Banner } from '../../../ui/surfaces.tsx';
import { useText } from '../../../i18n/text.tsx';
import { noticeText } from './report-status.ts';
import type { NoticeText, ReportNotice } from './report-status.ts';
import styles from '../labs.module.css';

export function ReportStatusBanner(props: {
  readonly notices: readonly ReportNotice[];
  readonly changes?: readonly string[];
}): ReactElement | null {
  const { notices, changes = [] } = props;
  const text = useText();
  const said = useNoticeTexts(notices);
  if (said.length === 0 && changes.length === 0) return null;
  const isCorrected = changes.length > 0 || notices.some(({ kind }) => kind === 'corrected');
  return (
    <Banner
      kind="notice"
      role="alert"
      aria-label={text('reportStatus.title')}
      className={styles['reportStatus']}
    >
      <Icon of={isCorrected ? Pencil : TriangleAlert} />
      <div>
        {said.length === 0 && <h2>{text('changes.title')}</h2>}
        <ul>
          {said.map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {changes.map((sentence) => (
            <li key={sentence} className="bold">
              {sentence}
            </li>
          ))}
        </ul>
      </div>
    </Banner>
  );
}

function useNoticeTexts(notices: readonly ReportNotice[]): readonly NoticeText[] {
  const text = useText();
  const intl = useIntl();
  const moment = (at: string): string => momentText(intl, at);
  return notices.map((notice) => noticeText(notice, { text, moment }));
}
