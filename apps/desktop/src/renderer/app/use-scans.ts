import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useRef } from 'react';
import type { OrderList } from '@caregate/domain';
import type { Received } from '../../shared/channels.ts';
import { isRepeated, type Scan } from '../features/scanner/scan-detector.ts';
import { useScanner } from '../features/scanner/use-scanner.ts';
import { looksLikeOrder, useLookUp } from './look-up.tsx';
import { useIsAuditor } from './me.tsx';
import { TABS, useNavigation } from './navigation.tsx';
import { toast } from './toasts.ts';
import { useAuditSubject, useSelection } from './selection.tsx';

/** Handles scans. Each scan closes the open patient, unless it is the number of one of the patient's orders. */
export function useScans(onScan: () => void): void {
  const { screen, go } = useNavigation();
  const isAuditor = useIsAuditor();
  const { subject, setSubject } = useAuditSubject();
  const { person, leave, order: openedOrder, openOrder, openOrderAlone } = useSelection();
  const { lookUpScan, cancel, dismiss, pending } = useLookUp();
  const hasOrder = useHasOrder(person?.value.user_id);
  const accepted = useRef<Scan>(undefined);
  useScanner({
    onScan: (scan) => {
      if (isRepeated(scan, accepted.current, pending?.id)) return;
      accepted.current = scan;
      onScan();
      cancel();
      dismiss();
      if (isAuditor) {
        setSubject(scan.code);
        go('accesses');
        return;
      }
      const order = [scan.code, scan.usCode].find(looksLikeOrder);
      if (screen === 'labs' && order !== undefined) {
        (hasOrder(order) ? openOrder : openOrderAlone)(order);
      } else {
        lookUpScan(scan);
      }
    },
    onBroken: () => {
      const isOpen = [person, openedOrder, pending, subject].some((one) => one !== undefined);
      accepted.current = undefined;
      dismiss();
      toast.warn('notice.broken');
      if (!isOpen) return;
      onScan();
      cancel();
      leave();
      setSubject(undefined);
      // A new visit restores the focus, which was in the closed patient. Labs stays open, since the next scan there is
      // an order again.
      go(screen !== 'labs' && TABS.some((name) => name === screen) ? 'find' : screen);
    },
  });
}

/** Whether the order is in the loaded part of the open patient's list. */
function useHasOrder(userId: string | undefined): (orderId: string) => boolean {
  const queries = useQueryClient();
  return (orderId) => {
    const loaded = queries.getQueryData<InfiniteData<Received<OrderList>>>(['orders', userId]);
    const orders = loaded?.pages.flatMap(({ value }) => value.orders) ?? [];
    return orders.some(
      ({ id, user_id: owner }) =>
        id.toLowerCase() === orderId.toLowerCase() && owner.toLowerCase() === userId?.toLowerCase(),
    );
  };
}
