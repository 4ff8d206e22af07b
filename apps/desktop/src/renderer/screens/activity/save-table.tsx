import { FileDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { complain, say } from '../../state/say.ts';
import { problemOf, unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import type { DayTotal } from '../../state/sessions/daily-totals.ts';
import type { Panel } from '../../state/sessions/panels.ts';

interface ShownPanel {
  readonly panel: Panel;
  readonly totals: readonly DayTotal[];
}

function activityRows(shown: readonly ShownPanel[]): string[][] {
  const head = ['day', 'provider', 'source_type', 'start', 'end', 'value', 'unit'];
  const rows = shown.flatMap(({ panel, totals }) =>
    totals.flatMap(({ day, sessions }) =>
      sessions.map(({ start, end, value, unit }) => [
        ...[day, panel.provider, panel.source, start, end],
        ...[String(value), unit],
      ]),
    ),
  );
  return [head, ...rows];
}

export function SaveTable(props: {
  readonly shown: readonly ShownPanel[];
  readonly recordIds: readonly string[];
}): ReactElement {
  const { shown, recordIds } = props;
  const text = useText();
  const save = (): void => {
    const table = { document: 'activity' as const, rows: activityRows(shown) };
    unwrap(window.caregate.saveTable({ ...table, recordIds: [...recordIds] })).then(
      ({ saved }) => {
        say(saved ? 'print.saved' : 'print.notSaved');
      },
      (error: unknown) => {
        complain('print.notSaved', problemOf(error));
      },
    );
  };
  return (
    <Button onPress={save}>
      <Icon of={FileDown} />
      {text('activity.csv')}
    </Button>
  );
}
