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

/**
 * Opens what is scanned, on any screen: on Labs a UUID is an order, all else is a person's client id, who opens, or on Today is
 * put on the list. An auditor sees
 * who saw that person.
 */
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
        // Ids only: whose they are the log doesn't say.
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
