export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'fault';
  readonly what: string;
  /** A command, or what to do; '' where all is well. */
  readonly next: string;
}

export const ok = (check: string, what: string): Finding => ({
  check,
  level: 'ok',
  what,
  next: '',
});

export const warning = (check: string, what: string, next: string): Finding => ({
  ...{ check, level: 'warning', what, next },
});

export const fault = (check: string, what: string, next: string): Finding => ({
  ...{ check, level: 'fault', what, next },
});
