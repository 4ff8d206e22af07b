import { FileDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { AUDIT_FORMATS } from '../../../bridge/audit.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { callService, problemOf } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';

type Format = (typeof AUDIT_FORMATS)[number];

/** All records that the question finds, as a file where the auditor wants it. */
export function ExportButtons({
  asked,
}: {
  asked: Readonly<Record<string, string>>;
}): ReactElement {
  const text = useText();
  const [working, setWorking] = useState<Format>();
  const [saved, setSaved] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const save = (format: Format): void => {
    if (working !== undefined) return;
    setWorking(format);
    setSaved(undefined);
    setProblem(undefined);
    callService('exportAudit', { format, ...asked })
      .then(
        (done) => {
          if (done.saved) setSaved(done.records);
        },
        (error: unknown) => {
          setProblem(problemOf(error));
        },
      )
      .finally(() => {
        setWorking(undefined);
      });
  };
  return (
    <div className={styles['exports']}>
      <span role="status" className={styles['quiet']}>
        {saved !== undefined && text('audit.saved', { count: saved })}
      </span>
      {AUDIT_FORMATS.map((format) => (
        <Button
          key={format}
          onPress={() => {
            save(format);
          }}
        >
          <Icon of={FileDown} />
          {text(working === format ? 'audit.saving' : `audit.export.${format}`)}
        </Button>
      ))}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}
