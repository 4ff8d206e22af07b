import { FileDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import type { Problem } from '../../../bridge/problem.ts';
import { problemOf, unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import { activityRows } from './activity-table.ts';
import type { ShownPanel } from './activity-table.ts';

/** The most ids that one record may name. */
const mostRecords = 500;

export function SaveTable(props: {
  readonly shown: readonly ShownPanel[];
  readonly recordIds: readonly string[];
}): ReactElement {
  const { shown, recordIds } = props;
  const text = useText();
  const [told, setTold] = useState<{ readonly key: MessageKey; readonly problem?: Problem }>();
  const save = (): void => {
    const table = { document: 'activity' as const, rows: activityRows(shown) };
    unwrap(
      window.caregate.saveTable({ ...table, recordIds: recordIds.slice(0, mostRecords) }),
    ).then(
      ({ saved }) => {
        setTold({ key: saved ? 'print.saved' : 'print.notSaved' });
      },
      (error: unknown) => {
        setTold({ key: 'print.notSaved', problem: problemOf(error) });
      },
    );
  };
  return (
    <>
      <Button onPress={save}>
        <Icon of={FileDown} />
        {text('activity.csv')}
      </Button>
      <span role="status">{told === undefined ? '' : text(told.key)}</span>
      {told?.problem !== undefined && <ProblemNote problem={told.problem} />}
    </>
  );
}
