/**
 * The part of FHIR R4 that an AuditEvent of ours uses (https://hl7.org/fhir/R4/auditevent.html). The installed
 * `@types/fhir` knows STU3 alone, whose AuditEvent is another; names are those of its R4 types, to be imported instead.
 */
export interface Coding {
  readonly system?: string;
  readonly code?: string;
  readonly display?: string;
}

export interface CodeableConcept {
  readonly coding?: Coding[];
  readonly text?: string;
}

export interface Identifier {
  readonly system?: string;
  readonly value?: string;
}

/** A logical reference: the service holds no FHIR resources that one could follow. */
export interface Reference {
  readonly type?: string;
  readonly identifier?: Identifier;
  readonly display?: string;
}

export interface AuditEventAgent {
  readonly type?: CodeableConcept;
  readonly role?: CodeableConcept[];
  readonly who?: Reference;
  readonly requestor: boolean;
  readonly policy?: string[];
  readonly network?: { readonly address?: string; readonly type?: '1' | '2' | '3' | '4' | '5' };
  readonly purposeOfUse?: CodeableConcept[];
}

export interface AuditEventEntity {
  readonly what?: Reference;
  readonly type?: Coding;
  readonly role?: Coding;
  /** Base64. */
  readonly query?: string;
  readonly detail?: { readonly type: string; readonly valueString: string }[];
}

export interface AuditEvent {
  readonly resourceType: 'AuditEvent';
  readonly id?: string;
  readonly meta?: { readonly profile?: string[] };
  readonly type: Coding;
  readonly subtype?: Coding[];
  readonly action?: 'C' | 'R' | 'U' | 'D' | 'E';
  /** An instant. */
  readonly recorded: string;
  /** Success, minor failure, serious failure, major failure. */
  readonly outcome?: '0' | '4' | '8' | '12';
  readonly outcomeDesc?: string;
  readonly purposeOfEvent?: CodeableConcept[];
  readonly agent: AuditEventAgent[];
  readonly source: {
    readonly site?: string;
    readonly observer: Reference;
    readonly type?: Coding[];
  };
  readonly entity?: AuditEventEntity[];
}
