import { useDesk } from '../../shell/desk.tsx';
import { useLookUp } from '../../shell/look-up.tsx';
import type { RecentOrder, RecentPerson } from '../../shell/recents.ts';

/** Opens recents again, asked for anew. An order comes with the person it was opened under, never under another. */
export function useReopen(): {
  readonly person: (recent: RecentPerson) => void;
  readonly order: (recent: RecentOrder) => void;
} {
  const { person, openOrder, openOrderAlone } = useDesk();
  const { lookUp } = useLookUp();
  return {
    person: ({ clientUserId }) => {
      lookUp(clientUserId);
    },
    order: ({ id, personId, clientUserId }) => {
      if (clientUserId === undefined) openOrderAlone(id);
      else if (personId === person?.value.user_id) openOrder(id);
      else lookUp(clientUserId, id);
    },
  };
}
