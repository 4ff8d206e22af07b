import type { ListedUser } from '@caregate/domain';

/** The users whose client id holds the text, small or capital; in their order. */
export function matching(users: readonly ListedUser[], filter: string): readonly ListedUser[] {
  if (filter === '') return users;
  const wanted = filter.toLowerCase();
  return users.filter(({ client_user_id }) => client_user_id.toLowerCase().includes(wanted));
}
