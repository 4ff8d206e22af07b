import { sampleUserEnvelopes } from './sample-envelopes.ts';
import type { SampleOptions } from './sample-envelopes.ts';
import { personaDefinitions, type PersonaName } from './user-plan.ts';

export interface Persona {
  readonly name: PersonaName;
  readonly index: number;
  readonly userId: string;
  readonly clientUserId: string;
  readonly fullName: string;
  /** YYYY-MM-DD, as recorded by the clinic. */
  readonly birthDate: string;
  /** IDs of the orders with a result, oldest first. */
  readonly orderIds: readonly string[];
  readonly story: string;
}

/** Returns the named personas of the sample with this seed and team; without arguments, those of the demo. */
export function listPersonas(
  options: Pick<SampleOptions, 'seed' | 'teamId'> = {},
): Readonly<Record<PersonaName, Persona>> {
  const members = personaDefinitions.map(
    ([name, { story, clientUserId, person }], index): [PersonaName, Persona] => {
      const { fullName, birthDate } = person;
      let userId = '';
      const orderIds = new Set<string>();
      for (const envelope of sampleUserEnvelopes(index, {
        ...options,
        kinds: ['user', 'lab_result'],
      })) {
        if (envelope.kind === 'user') userId = envelope.user.user_id;
        if (envelope.kind === 'lab_result') orderIds.add(envelope.order_id);
      }
      return [
        name,
        { name, index, userId, clientUserId, fullName, birthDate, orderIds: [...orderIds], story },
      ];
    },
  );
  return Object.fromEntries(members) as Record<PersonaName, Persona>;
}

export const personas = listPersonas();
