import { Reflector } from '@nestjs/core';
import type { OperationName } from '../operations/operations.ts';

/** The row of the permission table for a route. */
export const Operation = Reflector.createDecorator<OperationName>({ key: 'caregate:operation' });

/** For routes that return no personal data: health, metrics, the API description. */
export const Public = Reflector.createDecorator<true, true>({
  key: 'caregate:public',
  transform: () => true,
});
