import type { Phase } from '../../bridge/app-state.ts';
import { deepLinkOf } from './deep-link.ts';
import type { DeepLink } from './deep-link.ts';

/** Why a link isn't asked about. */
type LinkRefusal = 'wrong' | 'locked' | 'signedOut';

interface LinkDeskParts {
  readonly phase: () => Phase;
  readonly ask: (link: DeepLink) => void;
  readonly refuse: (why: LinkRefusal) => void;
}

/** Takes links of other programs: an id alone, only for whoever is signed in, and kept for nobody who comes later. */
export class LinkDesk {
  readonly #parts: LinkDeskParts;

  constructor(parts: LinkDeskParts) {
    this.#parts = parts;
  }

  receive(text: string): void {
    const { phase, ask, refuse } = this.#parts;
    const now = phase();
    // Of a desk that nobody is at, not even whether it is a link is said.
    if (now !== 'signedIn') {
      refuse(now);
      return;
    }
    const link = deepLinkOf(text);
    if (link === undefined) refuse('wrong');
    else ask(link);
  }
}
