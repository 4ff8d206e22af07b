import type { OperationName as ReadName } from '@caregate/domain/operations';
import type { Read } from './read.ts';
import { labOrderResult } from './reads/lab-order-result.ts';
import { latestInsurance } from './reads/latest-insurance.ts';
import { listOrders } from './reads/list-orders.ts';
import { listUsers } from './reads/list-users.ts';
import { mindfulnessMinutes } from './reads/mindfulness-minutes.ts';
import { orderHistory } from './reads/order-history.ts';
import { resolveUser } from './reads/resolve-user.ts';
import { searchPeople } from './reads/search-people.ts';
import { userInfo } from './reads/user-info.ts';

/** A missing operation does not compile. */
export const READS: { readonly [Name in ReadName]: Read<Name> } = {
  listUsers,
  resolveUser,
  latestInsurance,
  labOrderResult,
  mindfulnessMinutes,
  userInfo,
  listOrders,
  orderHistory,
  searchPeople,
};
