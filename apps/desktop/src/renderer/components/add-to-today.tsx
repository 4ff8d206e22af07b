import { ListChecks } from 'lucide-react';
import type { ReactElement } from 'react';
import { useToday } from '../state/people/today.tsx';
import { say } from '../state/say.ts';
import { useText } from '../text/text.tsx';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';

interface Listed {
  readonly userId: string;
  readonly clientUserId: string;
  readonly name: string | null | undefined;
  readonly birthDate: string | null | undefined;
}

export function AddToToday({ userId, clientUserId, name, birthDate }: Listed): ReactElement {
  const text = useText();
  const { people, change } = useToday();
  const isThere = people.some((one) => one.userId === userId);
  return (
    <Button
      kind="quiet"
      onPress={() => {
        say(isThere ? 'today.wasThere' : 'today.added');
        if (isThere) return;
        const known = { ...(name && { name }), ...(birthDate && { birthDate }) };
        change('add', { userId, clientUserId, ...known });
      }}
    >
      <Icon of={ListChecks} />
      <span className="spare">{text(isThere ? 'today.isThere' : 'today.add')}</span>
    </Button>
  );
}
