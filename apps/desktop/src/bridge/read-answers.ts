/**
 * Validators of the reads' answers. In a file of their own, loaded at the first read: they are as large as the rest
 * of main.
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
