/** Apart from the screens themselves, which know the shell that shows them. */
export type ScreenName =
  'find' | 'labs' | 'activity' | 'insurance' | 'recents' | 'person' | 'settings' | 'about';

/** The rail, in the order of Ctrl+1 to 5. */
export const RAIL = [
  'find',
  'labs',
  'activity',
  'insurance',
  'recents',
] as const satisfies readonly ScreenName[];
