import { useRef } from 'react';
import { isRepeated } from '../scanner/scan-listener.ts';
import type { Scan } from '../scanner/scan-listener.ts';
import { useAddById } from '../state/people/today.tsx';
import { useScanner } from '../scanner/use-scanner.ts';
import { looksLikeOrder, useLookUp } from '../state/look-up.tsx';
import { useAuditSubject } from '../state/audit-subject.tsx';
import { useIsAuditor } from '../state/me.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useNotice } from '../state/notice.tsx';
import { useOrder } from '../state/selection.tsx';

/** Opens a scanned person, on Labs an order; adds to the list on Today; shows the accesses at an auditor's desk. */
export function useScans(onScan: () => void): void {
  const { screen, go } = useNavigation();
  const isAuditor = useIsAuditor();
  const { setSubject } = useAuditSubject();
  const { openOrder } = useOrder();
  const { lookUpScan, cancel, dismiss, pending } = useLookUp();
  const { show } = useNotice();
  const addToToday = useAddById();
  const accepted = useRef<Scan>(undefined);
  useScanner({
    onScan: (scan) => {
      if (isRepeated(scan, accepted.current, pending?.id)) return;
      accepted.current = scan;
      onScan();
      if (isAuditor) {
        setSubject({ kind: 'patient', id: scan.code });
        go('accesses');
      } else if (screen === 'labs' && looksLikeOrder(scan.code)) {
        cancel();
        dismiss();
        openOrder(scan.code);
      } else if (screen === 'today') {
        addToToday(scan.code);
      } else {
        lookUpScan(scan.code);
      }
    },
    onBroken: () => {
      show('broken');
    },
  });
}
