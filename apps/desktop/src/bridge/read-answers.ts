/**
 * What the reads answer, by operation. Apart, since the compiled validators are as large as the rest of main: they are
 * loaded at the first read, long after the window shows.
 */
export {
  validateFoundPeople as searchPeople,
  validateGroupedMindfulnessMinutes as mindfulnessMinutes,
  validateInsurance as latestInsurance,
  validateLabOrderResult as labOrderResult,
  validateOrderHistory as orderHistory,
  validateOrderList as listOrders,
  validateUser as resolveUser,
  validateUserInfo as userInfo,
  validateUserList as listUsers,
} from '@caregate/domain/validate';
