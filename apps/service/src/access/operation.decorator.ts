import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { OperationName } from '../operations/operations.ts';

export const Operation = Reflector.createDecorator<OperationName>({ key: 'caregate:operation' });

/** For routes that return no personal data: health, metrics, the API description. */
export const Public = Reflector.createDecorator<true, true>({
  key: 'caregate:public',
  transform: () => true,
});

export interface Rule {
  readonly operation: string | undefined;
  readonly isPublic: boolean;
}

export function ruleOf(reflector: Reflector, method: () => unknown, controller: Type): Rule {
  const places = [method, controller];
  const operation = reflector.getAllAndOverride(Operation, places) as string | undefined;
  const isPublic = reflector.getAllAndOverride(Public, places) as true | undefined;
  return { operation, isPublic: isPublic === true };
}
