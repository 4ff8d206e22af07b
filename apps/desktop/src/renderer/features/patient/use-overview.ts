import type { Insurance, LabOrderResult, Order, UserInfo } from '@caregate/domain';
import { useIntl } from 'react-intl';
import type { Problem } from '../../../shared/problem.ts';
import { getToday } from '../../ui/values/age.ts';
import { useEmergencyHere, useMay, useMayAsk, useRole } from '../../app/me.tsx';
import type { Read } from '../../api/read.ts';
import { useInsurance } from '../insurance/use-insurance.ts';
import { useHistory } from '../labs/history/corrections.ts';
import { createFindEarlier, type FindEarlier } from '../labs/history/earlier-values.ts';
import { findLatestWithResults } from '../labs/order-facts.ts';
import { useLabResult, useOrders, type Orders } from '../labs/use-orders.ts';
import { useUserInfo } from './identity.ts';
import { usePersonQuery, type Person } from './person.ts';
import { getLatestDays, useMindfulness, type Days, type SourceMinutes } from './use-mindfulness.ts';

export interface OverviewReads {
  readonly isClinician: boolean;
  readonly may: Readonly<Record<'labs' | 'insurance' | 'mindfulness' | 'info', boolean>>;
  readonly info: Read<UserInfo>;
  readonly orders: Orders;
  readonly listed: readonly Order[];
  readonly latest: Order | undefined;
  readonly report: Read<LabOrderResult>;
  /** Finds the earlier values of the latest report. */
  readonly findEarlier: FindEarlier;
  readonly primary: Read<Insurance>;
  readonly secondary: Read<Insurance>;
  readonly days: Days;
  readonly mindfulness: Read<readonly SourceMinutes[]>;
  readonly isFetching: boolean;
  readonly problem: Problem | undefined;
  /** When the oldest of the answers was received. */
  readonly oldest: string | undefined;
  readonly refresh: () => void;
  /** Repeats the failed reads. */
  readonly retry: () => void;
  readonly cancel: () => void;
}

const isAllowed = (may: string): boolean => may === 'yes' || may === 'mask';

/** Reads what Overview shows to this role, each once. It reads nothing else, since each read is recorded in the audit log. */
export function useOverview(person: Person): OverviewReads {
  const intl = useIntl();
  const { user_id: userId } = person.value;
  const isClinician = useRole() === 'clinician';
  const isEmergency = useEmergencyHere() !== undefined;
  const may = {
    labs: isAllowed(useMay('labs')),
    insurance: isAllowed(useMay('insurance')),
    mindfulness: isAllowed(useMayAsk('mindfulnessMinutes')) && (isClinician || isEmergency),
    info: isAllowed(useMayAsk('userInfo')),
  };
  const days = getLatestDays(person.value, getToday(intl));
  const resolved = usePersonQuery(person);
  const info = useUserInfo(person);
  const orders = useOrders(may.labs ? userId : undefined);
  const listed = orders.orders ?? [];
  const latest = findLatestWithResults(listed);
  const report = useLabResult(userId, isClinician ? latest?.id : undefined);
  const history = useHistory({
    orderId: latest?.id ?? '',
    personId: userId,
    enabled: isClinician && latest !== undefined && report.data !== undefined,
  });
  const primary = useInsurance(userId, 'primary', { isWanted: may.insurance });
  const secondary = useInsurance(userId, 'secondary', { isWanted: may.insurance });
  const mindfulness = useMindfulness(userId, days, may.mindfulness);
  const reads = [
    resolved,
    ...(may.info ? [info] : []),
    ...(may.labs ? [{ ...orders, data: undefined, refetch: orders.retry }] : []),
    ...(isClinician && latest !== undefined ? [report] : []),
    ...(history === undefined ? [] : [history]),
    ...(may.insurance ? [primary, secondary] : []),
    ...(may.mindfulness ? [mindfulness] : []),
  ];
  const isFetching = reads.some((read) => read.isFetching);
  // The Overview itself shows that contact details, insurance or orders are missing.
  const failed = reads.filter(
    ({ problem }) => problem !== undefined && !['notFound', 'notOffered'].includes(problem.kind),
  );
  return {
    ...{ isClinician, may, days, info, orders, listed, latest, report },
    ...{ primary, secondary, mindfulness, isFetching },
    findEarlier: createFindEarlier(
      history?.data?.value ?? { biomarkers: [] },
      report.data?.value.results ?? [],
    ),
    oldest: reads.flatMap(({ data }) => data?.receivedAt ?? []).toSorted()[0],
    problem: isFetching ? undefined : failed[0]?.problem,
    refresh: () => {
      for (const read of reads) read.refetch();
    },
    retry: () => {
      for (const read of failed) read.refetch();
    },
    cancel: () => {
      for (const read of reads) read.cancel();
    },
  };
}
