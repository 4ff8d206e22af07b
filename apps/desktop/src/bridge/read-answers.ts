/**
 * What the reads answer. Apart, since the compiled validators are as large as the rest of main: they are loaded at
 * the first read, long after the window shows.
 */
export {
  validateFoundPeople as searchPeople,
  validateGroupedMindfulnessMinutes as mindfulnessPage,
  validateInsurance as insurance,
  validateLabOrderResult as labResult,
  validateOrderHistory as orderHistory,
  validateOrderList as listOrders,
  validateUser as resolveUser,
  validateUserInfo as userInfo,
  validateUserList as listUsers,
} from '@caregate/domain/validate';
