// Generated from the DTO classes by `npm run generate`; do not edit.
import type { AnswerOf, OperationName } from './operations.ts';
import {
  validateFoundPeople,
  validateGroupedMindfulnessMinutes,
  validateInsurance,
  validateLabOrderResult,
  validateOrderHistory,
  validateOrderList,
  validateUser,
  validateUserInfo,
  validateUserList,
} from './validate.ts';
import type { Validator } from './validation/verdict.ts';

/** The compiled validator for the response of each operation. */
export const ANSWER_VALIDATORS: {
  readonly [Name in OperationName]: Validator<AnswerOf<Name>>;
} = {
  listUsers: validateUserList,
  resolveUser: validateUser,
  latestInsurance: validateInsurance,
  labOrderResult: validateLabOrderResult,
  mindfulnessMinutes: validateGroupedMindfulnessMinutes,
  userInfo: validateUserInfo,
  listOrders: validateOrderList,
  orderHistory: validateOrderHistory,
  searchPeople: validateFoundPeople,
};
