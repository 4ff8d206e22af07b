import { VisuallyHidden } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { usePersonQuery, type Person } from './person.ts';
import { Refresh } from '../../app/refresh.tsx';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import { ClinicianOverview } from './clinician-overview.tsx';
import { DeskOverview } from './desk-overview.tsx';
import { InsurancePrint } from '../insurance/insurance-print.tsx';
import { useOverview } from './use-overview.ts';

export default function PersonScreen() {
  const { person } = useSelection();
  return person === undefined ? null : <Overview person={person} />;
}

function Overview({ person }: { readonly person: Person }) {
  const text = useText();
  const { data, problem, isFetching, refetch } = usePersonQuery(person);
  return (
    <>
      <VisuallyHidden as="h1">{text('screen.person')}</VisuallyHidden>
      {data !== undefined && <OpenOverview person={person} />}
      {data === undefined && problem !== undefined && !isFetching && (
        <ProblemNote problem={problem} onRetry={refetch} />
      )}
    </>
  );
}

function OpenOverview({ person }: { readonly person: Person }) {
  const overview = useOverview(person);
  const { isClinician, problem, retry, isFetching, oldest, refresh, cancel } = overview;
  const View = isClinician ? ClinicianOverview : DeskOverview;
  return (
    <View
      person={person}
      overview={overview}
      failure={
        <>
          <InsurancePrint
            primary={overview.primary.data}
            secondary={overview.secondary.data}
            person={person}
          />
          <Refresh oldest={oldest} isFetching={isFetching} onRefresh={refresh} />
          {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
          {isFetching && <Loading what="screen.person" onCancel={cancel} />}
        </>
      }
    />
  );
}
