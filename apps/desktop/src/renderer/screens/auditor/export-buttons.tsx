import { FileDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { AUDIT_FORMATS } from '../../../bridge/audit.ts';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Quiet, Row } from '../../components/layout.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { callService } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';

type Format = (typeof AUDIT_FORMATS)[number];

/** Saves all records of the request, beyond the pages that are shown. */
export function ExportButtons(props: {
  readonly request: Readonly<Record<string, string>>;
}): ReactElement {
  const text = useText();
  const { run, working, problem } = useAttempt();
  const [format, setFormat] = useState<Format>();
  const [saved, setSaved] = useState<number>();
  const save = (wanted: Format): void => {
    if (working) return;
    setFormat(wanted);
    setSaved(undefined);
    run(
      () => callService('exportAudit', { format: wanted, ...props.request }),
      (done) => {
        if (done.saved) setSaved(done.records);
      },
    );
  };
  return (
    <Row>
      <Quiet size="row13" role="status">
        {saved !== undefined && text('audit.saved', { count: saved })}
      </Quiet>
      {AUDIT_FORMATS.map((one) => (
        <Button
          key={one}
          onPress={() => {
            save(one);
          }}
        >
          <Icon of={FileDown} />
          {text(working && format === one ? 'audit.saving' : `audit.export.${one}`)}
        </Button>
      ))}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Row>
  );
}
