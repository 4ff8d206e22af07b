import { coded, expected, numeric } from './biomarker.ts';
import type { Biomarker } from './biomarker.ts';

export const thyroid: readonly Biomarker[] = [
  numeric('tsh', 'TSH', '3016-3', 'uIU/mL', 3, [0.45, 4.5], [0.01, 28], {
    highShare: 0.7,
    tendency: 1.2,
  }),
  numeric('free-t4', 'T4, Free (Direct)', '3024-7', 'ng/dL', 2, [0.82, 1.77], [0.3, 4.2], {
    highShare: 0.4,
  }),
  numeric('free-t3', 'Triiodothyronine (T3), Free', '3051-0', 'pg/mL', 1, [2, 4.4], [1.1, 8.8]),
];

export const glycation: readonly Biomarker[] = [
  numeric('hba1c', 'Hemoglobin A1c', '4548-4', '%', 1, [4.8, 5.6], [4.2, 12.5], {
    highShare: 0.97,
    tendency: 1.4,
  }),
  numeric(
    'estimated-average-glucose',
    'Estim. Avg Glu (eAG)',
    '27353-2',
    'mg/dL',
    0,
    [null, null],
    [60, 340],
    {
      derive: (values) => {
        const hba1c = values.get('hba1c');
        return hba1c === undefined ? undefined : 28.7 * hba1c - 46.7;
      },
    },
  ),
];

export const vitamins: readonly Biomarker[] = [
  numeric(
    'vitamin-d-25-hydroxy',
    'Vitamin D, 25-Hydroxy',
    '62292-8',
    'ng/mL',
    1,
    [30, 100],
    [6, 128],
    { highShare: 0.05, tendency: 1.6 },
  ),
  numeric('vitamin-b12', 'Vitamin B12', '2132-9', 'pg/mL', 0, [232, 1245], [110, 1900], {
    highShare: 0.4,
  }),
  numeric('folate', 'Folate (Folic Acid), Serum', '2284-8', 'ng/mL', 1, [3, null], [1.1, 24], {
    highShare: 0,
  }),
];

export const inflammation: readonly Biomarker[] = [
  numeric(
    'c-reactive-protein-cardiac',
    'C-Reactive Protein, Cardiac',
    '30522-7',
    'mg/L',
    2,
    [0, 3],
    [0.05, 14],
    { highShare: 1, detection: 0.15, tendency: 1.2 },
  ),
  numeric(
    'uric-acid',
    'Uric Acid',
    '3084-1',
    'mg/dL',
    1,
    { female: [2.6, 6.2], male: [3.8, 8.4] },
    [1.5, 11.5],
    { highShare: 0.85 },
  ),
  numeric('magnesium', 'Magnesium', '19123-9', 'mg/dL', 1, [1.6, 2.3], [1, 3.1], {
    highShare: 0.3,
  }),
  numeric('ggt', 'GGT', '2324-2', 'IU/L', 0, { female: [0, 60], male: [0, 65] }, [6, 320], {
    highShare: 1,
  }),
];

export const heartRisk: readonly Biomarker[] = [
  numeric('apolipoprotein-b', 'Apolipoprotein B', '1884-6', 'mg/dL', 0, [null, 89], [42, 190], {
    highShare: 1,
  }),
  numeric('lipoprotein-a', 'Lipoprotein (a)', '43583-4', 'nmol/L', 1, [null, 74.9], [8.4, 320], {
    highShare: 1,
    detection: 8.5,
  }),
  numeric('homocysteine', 'Homocyst(e)ine', '13965-9', 'umol/L', 1, [0, 14.5], [4.5, 34], {
    highShare: 1,
  }),
];

export const maleHormones: readonly Biomarker[] = [
  numeric('testosterone-total', 'Testosterone', '2986-8', 'ng/dL', 0, [264, 916], [78, 1420], {
    highShare: 0.25,
    tendency: 1.2,
  }),
  numeric(
    'testosterone-free',
    'Free Testosterone (Direct)',
    '2991-8',
    'pg/mL',
    1,
    (_person, age) => (age < 40 ? [8.7, 25.1] : age < 60 ? [6.8, 21.5] : [6.6, 18.1]),
    [1.5, 38],
    { highShare: 0.25 },
  ),
  numeric(
    'shbg',
    'Sex Horm Binding Glob, Serum',
    '13967-5',
    'nmol/L',
    1,
    (_person, age) => (age < 50 ? [16.5, 55.9] : [19.3, 76.4]),
    [7, 120],
  ),
];

export const prostate: readonly Biomarker[] = [
  numeric(
    'prostate-specific-antigen',
    'Prostate Specific Ag',
    '2857-1',
    'ng/mL',
    1,
    (_person, age) => [0, age < 50 ? 2.5 : age < 60 ? 3.5 : age < 70 ? 4.5 : 6.5],
    [0, 18],
    { highShare: 1, detection: 0.1 },
  ),
];

export const femaleHormones: readonly Biomarker[] = [
  numeric(
    'estradiol',
    'Estradiol',
    '2243-4',
    'pg/mL',
    1,
    (_person, age) => (age < 52 ? [12.5, 498] : [0, 54.7]),
    [4, 620],
  ),
  numeric(
    'fsh',
    'FSH',
    '15067-2',
    'mIU/mL',
    1,
    (_person, age) => (age < 52 ? [1.7, 21.5] : [25.8, 134.8]),
    [0.6, 160],
  ),
  numeric(
    'lh',
    'LH',
    '10501-5',
    'mIU/mL',
    1,
    (_person, age) => (age < 52 ? [1, 95.6] : [7.7, 58.5]),
    [0.3, 120],
  ),
  numeric(
    'testosterone-total',
    'Testosterone',
    '2986-8',
    'ng/dL',
    0,
    (_person, age) => (age < 50 ? [8, 60] : [3, 67]),
    [2, 130],
  ),
];

export const urinalysis: readonly Biomarker[] = [
  coded('urine-color', 'Color, Urine', '5778-6', expected('Yellow', 'Amber', 'Red', 'Colorless')),
  coded('urine-appearance', 'Appearance', '5767-9', expected('Clear', 'Hazy', 'Cloudy')),
  numeric(
    'urine-specific-gravity',
    'Specific Gravity',
    '5811-5',
    'ratio',
    3,
    [1.005, 1.03],
    [1.001, 1.036],
  ),
  numeric('urine-ph', 'pH, Urine', '5803-2', 'pH', 1, [5, 7.5], [4.5, 9], { highShare: 0.9 }),
  coded('urine-glucose', 'Glucose, Urine', '5792-7', expected('Negative', '1+', '3+')),
  coded('urine-protein', 'Protein, Urine', '20454-5', expected('Negative', 'Trace', '1+', '2+')),
  coded('urine-ketones', 'Ketones, Urine', '2514-8', expected('Negative', 'Trace', '2+')),
  coded('urine-nitrite', 'Nitrite, Urine', '5802-4', expected('Negative', 'Positive')),
  coded('leukocyte-esterase', 'WBC Esterase', '5799-2', expected('Negative', 'Trace', '2+')),
  {
    kind: 'range',
    slug: 'urine-white-cells',
    name: 'WBC, Urine',
    loinc: '5821-4',
    unit: '/hpf',
    range: [0, 5],
    answers: expected('0-5', '6-10', '11-30'),
  },
];

export const infection: readonly Biomarker[] = [
  coded('hepatitis-b-surface-antigen', 'HBsAg Screen', '5196-1', [
    { result: 'Negative', weight: 98, abnormal: false },
    { result: 'Positive', weight: 2, abnormal: true },
  ]),
  coded('hepatitis-c-antibody', 'Hep C Virus Ab', '16128-1', [
    { result: 'Non Reactive', weight: 97, abnormal: false },
    { result: 'Reactive', weight: 3, abnormal: true },
  ]),
];
