/**
 * A compiled serializer per body: JSON text of a value that is valid, faster than JSON.stringify where the shape is known.
 * Fields that are not declared are written too. Of a value that is not valid the outcome is undefined: validate first.
 */
import * as compiled from './generated/serializers.ts';
import type * as domain from './generated/types.ts';

type Serialize<T> = (value: T) => string;

export const serializeGroupedMindfulnessMinutes =
  compiled.GroupedMindfulnessMinutes as Serialize<domain.GroupedMindfulnessMinutes>;
export const serializeInsurance = compiled.Insurance as Serialize<domain.Insurance>;
export const serializeLabOrderResult = compiled.LabOrderResult as Serialize<domain.LabOrderResult>;
export const serializeListedUser = compiled.ListedUser as Serialize<domain.ListedUser>;
export const serializeMindfulnessMinutesPoint =
  compiled.MindfulnessMinutesPoint as Serialize<domain.MindfulnessMinutesPoint>;
export const serializeProblemDetails = compiled.ProblemDetails as Serialize<domain.ProblemDetails>;
export const serializeUser = compiled.User as Serialize<domain.User>;
export const serializeUserList = compiled.UserList as Serialize<domain.UserList>;
