// Generated from the DTO classes by `npm run generate`; do not edit.
/**
 * Compiled serializers: JSON text of a valid value, faster than JSON.stringify. Undeclared fields are included. The result
 * for an invalid value is undefined behaviour: validate first.
 */
import * as compiled from './generated/serializers.ts';
import type * as domain from './generated/types.ts';

type Serialize<T> = (value: T) => string;

export const serializeGroupedMindfulnessMinutes = compiled.GroupedMindfulnessMinutes as Serialize<domain.GroupedMindfulnessMinutes>;
export const serializeInsurance = compiled.Insurance as Serialize<domain.Insurance>;
export const serializeLabOrderResult = compiled.LabOrderResult as Serialize<domain.LabOrderResult>;
export const serializeListedUser = compiled.ListedUser as Serialize<domain.ListedUser>;
export const serializeMindfulnessMinutesPoint = compiled.MindfulnessMinutesPoint as Serialize<domain.MindfulnessMinutesPoint>;
export const serializeOrder = compiled.Order as Serialize<domain.Order>;
export const serializeProblemDetails = compiled.ProblemDetails as Serialize<domain.ProblemDetails>;
export const serializeUser = compiled.User as Serialize<domain.User>;
export const serializeUserInfo = compiled.UserInfo as Serialize<domain.UserInfo>;
export const serializeUserList = compiled.UserList as Serialize<domain.UserList>;
