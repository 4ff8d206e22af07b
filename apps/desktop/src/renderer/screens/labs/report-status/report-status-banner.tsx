import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { momentText } from '../../../components/dates.tsx';
import { useText } from '../../../text/text.tsx';
import type { ReportNotice } from './report-status.ts';
import { noticeText } from './report-status-text.ts';
import type { SaidNotice } from './report-status-text.ts';
import styles from '../labs.module.css';

/** Says, before anything of a report, what it is not: uncorrected, complete, in force, the last. */
export function ReportStatusBanner(props: {
  readonly notices: readonly ReportNotice[];
}): ReactElement | null {
  const text = useText();
  const said = useNoticeTexts(props.notices);
  if (said.length === 0) return null;
  return (
    <section
      role="alert"
      aria-label={text('reportStatus.title')}
      className={styles['reportStatus']}
    >
      <h2>{said.map(({ short }) => short).join(' · ')}</h2>
      <ul className={styles['plain']}>
        {said.map(({ sentence }) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

/** The same in a word or two each, beside the report's status. */
export function ReportStatusMarks(props: {
  readonly notices: readonly ReportNotice[];
}): ReactElement {
  return (
    <>
      {useNoticeTexts(props.notices).map(({ short }) => (
        <strong key={short} className={styles['mark']}>
          {short}
        </strong>
      ))}
    </>
  );
}

function useNoticeTexts(notices: readonly ReportNotice[]): readonly SaidNotice[] {
  const text = useText();
  const intl = useIntl();
  const moment = (at: string): string => momentText(intl, at) ?? at;
  return notices.map((notice) => noticeText(notice, { text, moment }));
}
