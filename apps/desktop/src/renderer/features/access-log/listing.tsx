import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../ui/controls.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
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
