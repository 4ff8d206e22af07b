import { fromRequest } from '../common/from-request.ts';
import { principalOf } from './principal.ts';

/** In a file of its own, since commands use principals without Nest. */
export const CurrentPrincipal = fromRequest(principalOf);
