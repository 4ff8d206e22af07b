import type { LucideIcon } from 'lucide-react';
import styles from './icon.module.css';
import { getInitials } from './values/initials.ts';

export function Icon({ of: Shape, big = false }: { of: LucideIcon; big?: boolean }) {
  const size = big ? 20 : 16;
  return (
    <Shape aria-hidden="true" width={size} height={size} strokeWidth={1.75} className="fixed" />
  );
}

export function Glyph() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={styles['glyph']}>
      <path d="M3 21V9a9 9 0 0 1 18 0v12h-4.5V9a4.5 4.5 0 0 0-9 0v12z" />
      <path d="M10.9 12h2.2v2.9H16v2.2h-2.9V20h-2.2v-2.9H8v-2.2h2.9z" opacity=".85" />
    </svg>
  );
}

/** The initials of a staff member. Patients have no avatar. */
export function Avatar({ name, big = false }: { name: string; big?: boolean }) {
  const size = big ? (styles['large'] ?? '') : '';
  return (
    <span aria-hidden="true" className={`center ${styles['avatar'] ?? ''} ${size}`}>
      {getInitials(name)}
    </span>
  );
}
