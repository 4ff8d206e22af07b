/**
 * A working day of a receptionist, a clinician and an auditor at one desk, by keys alone and by pointer alone.
 *
 * In both, `"text"` is typed, `see TEXT` waits for a text, and `provider SUBJECT` signs in at the provider's page. By keys,
 * `tab NAME`, `right NAME` and `down NAME` press a key until NAME has the focus; any other step is a key. By pointer,
 * `ROLE NAME` is clicked (the complete name after `=`), `in LANDMARK > ROLE NAME` inside a landmark; `key KEY` is a key.
 */
export interface Task {
  readonly name: string;
  readonly keys: readonly string[];
  readonly pointer: readonly string[];
  /** What the person wanted. */
  readonly wanted: Wanted;
}

export type Subject = keyof typeof pinOf;

type Wanted =
  | { readonly atDesk: Subject }
  /** All of it is seen, and none of it. */
  | { readonly shown: readonly string[]; readonly gone?: readonly string[] }
  | { readonly open: string }
  | { readonly clipboard: string }
  | { readonly printed: readonly string[] }
  | { readonly scanned: string }
  | { readonly saved: string };

const amara = 'Amara Okonkwo-Lindqvist';
const id = 'MRN-000101';
const findField = 'label Name, DOB, phone, or MRN';
const pinOf = { 'front-desk': '"493827"', clinician: '"582941"', auditor: '"719352"' } as const;

/** Signs in at the provider and chooses a PIN. */
const comeIn = (subject: Subject): Pick<Task, 'keys' | 'pointer'> => {
  const page = [`provider ${subject}`, 'see Choose your PIN'];
  const pin = pinOf[subject];
  return {
    keys: ['Enter', ...page, pin, 'Enter', pin, 'Enter'],
    pointer: [...page, pin, 'label New PIN again', pin, 'button Save PIN'],
  };
};

const search = (name: string, typed: string, found: string, chosen: string[] = []): Task => ({
  name,
  keys: ['Control+k', `"${typed}"`, `see ${found}`, ...chosen, 'Enter'],
  pointer: [
    ...['in navigation > button Search', findField, `"${typed}"`],
    ...[`option ${amara}`, 'in Confirm patient > button =Open'],
  ],
  wanted: { open: id },
});

export const TASKS: readonly Task[] = [
  {
    name: 'sign in at the provider and choose a PIN',
    keys: ['see Sign in with', ...comeIn('front-desk').keys],
    pointer: ['button Sign in with', ...comeIn('front-desk').pointer],
    wanted: { atDesk: 'front-desk' },
  },
  search('find somebody by four letters of the name', 'okon', 'for “okon”'),
  // Others are born on that day, and others have such a number: one is chosen.
  search('find somebody by birth date', '3/7/85', 'for “3/7/85”', ['ArrowDown']),
  search('find somebody by the end of the phone number', '555-0123', 'for “555-0123”', [
    'ArrowDown',
  ]),
  search('find somebody by an id without its hyphen', 'mrn000101', 'for “mrn000101”'),
  {
    name: 'close the person',
    keys: ['tab Close patient', 'Enter'],
    pointer: ['button Close patient'],
    wanted: { shown: ['Recent patients', 'What to type'] },
  },
  {
    name: 'open somebody again who was open before',
    keys: ['Control+k', 'ArrowDown', 'Enter'],
    pointer: [`in Recent patients > button ${amara}`],
    wanted: { open: id },
  },
  {
    name: 'copy the card of the insurance',
    keys: ['Control+3', 'see NWM284902123', 'tab Copy card', 'Enter'],
    pointer: ['in Screens of this patient > button Insurance', 'in Primary > button Copy card'],
    wanted: { clipboard: 'NWM284902123' },
  },
  {
    name: 'print the insurance',
    keys: ['Control+p', 'see exactly as', 'Enter', 'see Sent to the printer.', 'Escape'],
    pointer: [
      ...['in Patient > button Print', 'see exactly as', 'in dialog > button =Print'],
      ...['see Sent to the printer.', 'in dialog > button Close'],
    ],
    wanted: { printed: ['NWM284902123', id] },
  },
  {
    name: 'save the insurance as PDF',
    keys: ['Control+p', 'see exactly as', 'tab Save PDF', 'Enter', 'see Saved.', 'Escape'],
    pointer: [
      ...['in Patient > button Print', 'see exactly as', 'button Save PDF'],
      ...['see Saved.', 'in dialog > button Close'],
    ],
    wanted: { saved: 'NWM284902123' },
  },
  {
    name: 'print a label',
    keys: ['Control+b', 'see exactly as', 'Enter', 'see Sent to the printer.', 'Escape'],
    pointer: [
      ...['button Label', 'see exactly as', 'in dialog > button =Print'],
      ...['see Sent to the printer.', 'in dialog > button Close'],
    ],
    wanted: { scanned: id },
  },
  {
    name: 'hide who it is from somebody who looks on',
    keys: ['F8'],
    // It has no button.
    pointer: ['key F8'],
    wanted: { shown: ['••••'], gone: [amara, id] },
  },
  {
    name: 'show it again',
    keys: ['F8'],
    pointer: ['key F8'],
    wanted: { open: id },
  },
  {
    name: 'look somebody up in between, and come back to who was open before',
    keys: [
      'Control+k',
      '"bramblethorn"',
      'see for “bramblethorn”',
      'Enter',
      'see Overview',
      'Control+Tab',
    ],
    pointer: [
      ...['in navigation > button Search', findField, '"bramblethorn"'],
      ...[
        'option Imogen',
        'in Confirm patient > button =Open',
        'see Contact',
        `in Recent patients > button ${amara}`,
      ],
    ],
    wanted: { open: id },
  },
  {
    name: 'lock, and let a clinician come in',
    keys: ['Control+l', 'see Someone else', 'tab Someone else', ...comeIn('clinician').keys],
    pointer: ['button Lock', 'button Someone else', ...comeIn('clinician').pointer],
    wanted: { atDesk: 'clinician' },
  },
  {
    name: 'see whether the results of somebody arrived',
    keys: ['"okon"', `see ${amara}`, 'Control+2'],
    pointer: [findField, '"okon"', `option ${amara}`, 'button Open labs'],
    wanted: { shown: ['Bluestone Diagnostics', 'LDL Chol Calc'] },
  },
  {
    name: 'see only what is outside its range',
    keys: ['tab All', 'right 3 abnormal', 'Space'],
    pointer: ['in Summary; press to show only these > radio 3 abnormal'],
    wanted: { shown: ['LDL Chol Calc', 'Non-HDL Cholesterol'], gone: ['Neutrophils'] },
  },
  {
    name: 'learn the earlier values of a test',
    keys: ['tab Results', 'down LDL Chol Calc', 'Enter'],
    pointer: ['button LDL Chol Calc'],
    wanted: { shown: ['All values', 'Bluestone Diagnostics'] },
  },
  {
    name: 'go to an older report',
    keys: ['Alt+ArrowDown'],
    pointer: ['button Report', 'in Orders > option 09/28/2026'],
    wanted: { shown: ['Northfield Clinical Laboratory', 'Corrected'] },
  },
  {
    name: 'see the mindfulness minutes in an emergency',
    keys: [
      ...['Control+1', 'tab Emergency access', 'Enter', 'see What is happening', 'Space'],
      `see ${amara}, DOB 03/07/1985, ${id}`,
      ...['tab What is happening', '"Found unconscious in the waiting room."', 'Control+Enter'],
      ...['provider clinician', 'see min left'],
    ],
    pointer: [
      ...['in Screens of this patient > button Overview', 'button Emergency access'],
      ...[
        'see What is happening',
        'key Space',
        'label What is happening',
        '"Found unconscious in the waiting room."',
      ],
      ...['button Open for 30 minutes', 'provider clinician', 'see min left'],
    ],
    wanted: { shown: ['of the last 30 days'] },
  },
  {
    name: 'end the emergency access',
    keys: ['tab End now', 'Enter'],
    pointer: ['button End now'],
    wanted: { shown: ['Emergency access'], gone: ['min left', 'of the last 30 days'] },
  },
  {
    name: 'hand the desk back by card and PIN',
    keys: ['Alt+1', 'see PIN of', pinOf['front-desk'], 'Enter'],
    pointer: [
      'in Status > button clinician',
      'menuitem front-desk',
      'see PIN of',
      pinOf['front-desk'],
      'key Enter',
    ],
    wanted: { atDesk: 'front-desk' },
  },
  {
    name: 'leave, and let an auditor come in who says that the emergency was justified',
    keys: [
      ...['tab front-desk', 'Enter', 'see Sign out', 'End', 'Enter'],
      ...['see Someone else', 'tab Someone else'],
      ...[...comeIn('auditor').keys, 'see Access log', 'Control+2', 'see Found unconscious'],
      ...['tab Justified', 'Enter'],
    ],
    pointer: [
      ...['in Status > button front-desk', 'menuitem Sign out', 'button Someone else'],
      ...[...comeIn('auditor').pointer, 'in navigation > button Emergency access'],
      ...['button =Justified'],
    ],
    wanted: { shown: ['Nothing to review'] },
  },
  {
    name: 'learn who saw a person',
    keys: ['Control+1', '"MRN-000101"', 'Enter'],
    pointer: [
      ...['in navigation > button Access log', 'label MRN, user ID, or audit number'],
      ...['"MRN-000101"', 'in main > button Show'],
    ],
    wanted: { shown: ['printed the insurance', 'opened a lab report'] },
  },
];
