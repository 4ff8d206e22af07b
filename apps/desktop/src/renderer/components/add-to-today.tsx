import { ListChecks } from 'lucide-react';
import type { ReactElement } from 'react';
import { useToday } from '../state/people/today.tsx';
import type { Listed } from '../state/people/today.tsx';
import { say } from '../state/say.ts';
import { useText } from '../text/text.tsx';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';

export function AddToToday({ one }: { readonly one: Listed }): ReactElement {
  const text = useText();
  const { people, change } = useToday();
  const isThere = people.some(({ userId }) => userId === one.userId);
  return (
    <Button
      kind="quiet"
      onPress={() => {
        say(isThere ? 'today.wasThere' : 'today.added');
        if (!isThere) change('add', one);
      }}
    >
      <Icon of={ListChecks} />
      <span className="spare">{text(isThere ? 'today.isThere' : 'today.add')}</span>
    </Button>
  );
}
