import { Reflector } from '@nestjs/core';
import type { OperationName } from '../operations/operations.ts';

/** Names the row of the permission table that guards a controller's method. */
export const Operation = Reflector.createDecorator<OperationName>({ key: 'caregate:operation' });

/** For what tells nothing about anyone: health, metrics, the API's own description. */
export const Public = Reflector.createDecorator<true, true>({
  key: 'caregate:public',
  transform: () => true,
});
