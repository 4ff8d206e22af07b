import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../components/controls.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import type { Pages } from './use-audit.ts';

export function Listing(props: {
  readonly of: Pages;
  readonly what: MessageKey;
  readonly isEmpty: boolean;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { pages, problem, isFetching, hasMore, more, retry, cancel } = props.of;
  const text = useText();
  return (
    <>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {pages === undefined && isFetching && <Loading what={props.what} onCancel={cancel} />}
      {pages !== undefined && (props.isEmpty ? props.empty : props.children)}
      {hasMore && (
        <div>
          <Button onPress={more}>{text(isFetching ? 'state.loading' : 'audit.more')}</Button>
        </div>
      )}
    </>
  );
}
