import type { Person } from '../person.ts';
import type { Biomarker } from './biomarker.ts';
import { bloodGroup, completeBloodCount } from './blood-count.ts';
import { ironPanel, lipidPanel, metabolicPanel } from './chemistry.ts';
import {
  femaleHormones,
  glycation,
  heartRisk,
  infection,
  inflammation,
  maleHormones,
  prostate,
  thyroid,
  urinalysis,
  vitamins,
} from './special-panels.ts';

/** Laboratories' words beside a lipid panel: a comment, not a measure. */
const lipidComment: Biomarker = {
  kind: 'comment',
  slug: 'lipid-comment',
  name: 'Comment',
  loinc: '8251-1',
  answers: [
    { result: 'LDL calculated by the Friedewald equation; fasting state not recorded.', weight: 3 },
    { result: 'Specimen slightly lipemic.', weight: 1 },
  ],
};

export interface Panel {
  readonly name: string;
  readonly weight: number;
  readonly biomarkers: readonly Biomarker[];
  readonly specimen: string;
  readonly suits?: (person: Person, age: number) => boolean;
}

/** What a clinic orders, with how often. */
const panels = {
  cbc: {
    name: 'CBC With Differential/Platelet',
    weight: 10,
    biomarkers: completeBloodCount,
    specimen: 'EDTA whole blood',
  },
  cmp: {
    name: 'Comp. Metabolic Panel (14)',
    weight: 10,
    biomarkers: metabolicPanel,
    specimen: 'serum',
  },
  lipids: {
    name: 'Lipid Panel',
    weight: 8,
    biomarkers: [...lipidPanel, lipidComment],
    specimen: 'serum',
  },
  thyroid: { name: 'Thyroid Panel', weight: 5, biomarkers: thyroid, specimen: 'serum' },
  hba1c: { name: 'Hemoglobin A1c', weight: 5, biomarkers: glycation, specimen: 'EDTA whole blood' },
  iron: { name: 'Iron and TIBC, Ferritin', weight: 3, biomarkers: ironPanel, specimen: 'serum' },
  vitamins: {
    name: 'Vitamins D, B12 and Folate',
    weight: 4,
    biomarkers: vitamins,
    specimen: 'serum',
  },
  inflammation: {
    name: 'CRP, Uric Acid, Magnesium, GGT',
    weight: 3,
    biomarkers: inflammation,
    specimen: 'serum',
  },
  heart: { name: 'Cardiovascular Risk', weight: 2, biomarkers: heartRisk, specimen: 'serum' },
  maleHormones: {
    name: 'Testosterone, Free and Total, SHBG',
    weight: 3,
    biomarkers: maleHormones,
    specimen: 'serum',
    suits: (person, age) => person.sex === 'male' && age >= 20,
  },
  psa: {
    name: 'Prostate Specific Antigen',
    weight: 3,
    biomarkers: prostate,
    specimen: 'serum',
    suits: (person, age) => person.sex === 'male' && age >= 45,
  },
  femaleHormones: {
    name: 'Female Hormones',
    weight: 3,
    biomarkers: femaleHormones,
    specimen: 'serum',
    suits: (person, age) => person.sex === 'female' && age >= 18,
  },
  urinalysis: {
    name: 'Urinalysis, Complete',
    weight: 3,
    biomarkers: urinalysis,
    specimen: 'urine',
  },
  bloodGroup: {
    name: 'ABO Grouping and Rho(D) Typing',
    weight: 1,
    biomarkers: bloodGroup,
    specimen: 'EDTA whole blood',
  },
  infection: { name: 'Hepatitis Screen', weight: 1, biomarkers: infection, specimen: 'serum' },
} as const satisfies Record<string, Panel>;

export type PanelKey = keyof typeof panels;

export const panelKeys = Object.keys(panels) as PanelKey[];

export function panelOf(key: PanelKey): Panel {
  return panels[key];
}
