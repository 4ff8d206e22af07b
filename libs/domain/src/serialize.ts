/**
 * A compiled serializer per body: JSON text of a value that is valid, faster than JSON.stringify where the shape is known.
 * Fields that are not declared are written too. Of a value that is not valid the outcome is undefined: validate first.
 */
import * as compiled from './generated/serializers.ts';
import type * as domain from './index.ts';

type Serialize<T> = (value: T) => string;

export const serializeGroupedMindfulnessMinutes: Serialize<domain.GroupedMindfulnessMinutes> =
  compiled.GroupedMindfulnessMinutes;
export const serializeInsurance: Serialize<domain.Insurance> = compiled.Insurance;
export const serializeLabOrderResult: Serialize<domain.LabOrderResult> = compiled.LabOrderResult;
export const serializeListedUser: Serialize<domain.ListedUser> = compiled.ListedUser;
export const serializeMindfulnessMinutesPoint: Serialize<domain.MindfulnessMinutesPoint> =
  compiled.MindfulnessMinutesPoint;
export const serializeProblemDetails: Serialize<domain.ProblemDetails> = compiled.ProblemDetails;
export const serializeUser: Serialize<domain.User> = compiled.User;
export const serializeUserList: Serialize<domain.UserList> = compiled.UserList;
