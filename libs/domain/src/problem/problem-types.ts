/** `type` of the 404 of a user who is there and has no insurance of the kind that was asked for. */
export const NO_INSURANCE = '/problems/no-insurance';
