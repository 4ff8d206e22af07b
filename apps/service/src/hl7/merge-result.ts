import type { LabOrderResult } from '@caregate/domain';
import type { ReportedOrder } from './report.ts';

/**
 * The result after a message: what it reports replaces what was kept under the same code and sub-id, all else stays. Sub-ids, and
 * the status of results that are not final, are kept in members of the results that the interface does not have (`sub_id`,
 * `observation_status`), so that the result in the store is all that the next merge needs.
 */
export function mergeResult(
  _before: LabOrderResult | undefined,
  _order: ReportedOrder,
): LabOrderResult {
  throw new Error('not built yet');
}
