import type { Settings } from '../../src/bridge/app-state.ts';

interface SettingText {
  readonly title: string;
  readonly help: string;
  /** A valid value, for the profile; checked against the schema by a test. */
  readonly example: unknown;
}

/** Texts for administrators. */
export const settingTexts: { readonly [Key in keyof Settings]: SettingText } = {
  address: {
    title: 'Address of the service',
    help: 'The clinic’s Caregate service, by https. The desk then asks for no address; the identity provider is the one that the service names.',
    example: 'https://caregate.clinic.example',
  },
  language: {
    title: 'Language',
    help: 'Of the screens and prints; "system" is the computer’s own.',
    example: 'system',
  },
  theme: { title: 'Colours', help: 'Light, dark, or as the system is.', example: 'system' },
  lockMinutes: {
    title: 'Minutes until the lock',
    help: 'Without a key or a pointer. The sign-out follows after 15 minutes in any case.',
    example: 5,
  },
  scannerPrefixes: {
    title: 'Prefixes of scanners',
    help: 'What a barcode scanner puts before each code; taken off.',
    example: [']C1'],
  },
  paper: { title: 'Paper', help: 'Of prints that nobody chose another for.', example: 'a4' },
  zoom: { title: 'Zoom', help: 'Per cent, of every window.', example: 100 },
  typeToFind: {
    title: 'Typing starts Find',
    help: 'Letters typed outside a field start a search (WCAG 2.1.4 asks that this can be turned off).',
    example: true,
  },
  hideRecentNames: {
    title: 'Hide names of recents',
    help: 'Names of who was opened last show under pointer and focus alone.',
    example: false,
  },
  labelSizes: {
    title: 'Sizes of labels',
    help: 'Beside 54x25 and 57x32: width x height in millimetres, from 40x20 to 150x150.',
    example: ['62x29'],
  },
  prints: {
    title: 'Printers',
    help: 'Printer and paper of each kind of document, and of labels, as the system names the printers.',
    example: {
      documents: [{ kind: 'labs', printer: 'Office', paper: 'a4' }],
      label: { printer: 'Labels', size: '54x25', copies: 1 },
    },
  },
  updateAddress: {
    title: 'Address of updates',
    help: 'A folder by https with desktop-updates.json and the packages that it names; any static server. Empty: nothing is asked.',
    example: 'https://caregate.clinic.example/desktop',
  },
  updateChannel: {
    title: 'Channel of updates',
    help: '"early" reads desktop-updates-early.json, for desks that try a version first; "off" asks nothing.',
    example: 'stable',
  },
  updateHold: {
    title: 'Newest version wanted',
    help: 'Nothing newer is installed. A version such as 0.2.0; empty: no limit.',
    example: '0.2.0',
  },
};
