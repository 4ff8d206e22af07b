/**
 * What the five reads answer. Apart, since the compiled validators are as large as the rest of main: they are loaded at
 * the first read, long after the window shows.
 */
export {
  validateGroupedMindfulnessMinutes as mindfulnessPage,
  validateInsurance as insurance,
  validateLabOrderResult as labResult,
  validateUser as resolveUser,
  validateUserList as listUsers,
} from '@caregate/domain/validate';
