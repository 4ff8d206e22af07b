import { coded, numeric, type Biomarker } from './biomarker.ts';
import { calculate } from './measure.ts';

const cells = [
  'neutrophils-absolute',
  'lymphocytes-absolute',
  'monocytes-absolute',
  'eosinophils-absolute',
  'basophils-absolute',
];

const whiteCells = calculate(cells, (...counts) => counts.reduce((sum, count) => sum + count, 0));
const hematocrit = calculate(['hemoglobin', 'mchc'], (hgb = 0, mchc = 1) => (hgb / mchc) * 100);
const redCells = calculate(['hematocrit', 'mcv'], (hct = 0, mcv = 1) => (hct / mcv) * 10);

function share(slug: string): (values: ReadonlyMap<string, number>) => number | undefined {
  return calculate([slug, ...cells], (count = 0, ...all) => {
    return (count / all.reduce((sum, one) => sum + one, 0)) * 100;
  });
}

/** Complete blood count with differential. Percentages have no range of their own, as laboratories report them. */
export const completeBloodCount: readonly Biomarker[] = [
  numeric('white-blood-cell-count', 'WBC', '6690-2', 'x10E3/uL', 1, [3.4, 10.8], [1, 40], {
    derive: whiteCells,
  }),
  numeric(
    'red-blood-cell-count',
    'RBC',
    '789-8',
    'x10E6/uL',
    2,
    { female: [3.77, 5.28], male: [4.14, 5.8] },
    [2, 8],
    { derive: redCells },
  ),
  numeric(
    'hemoglobin',
    'Hemoglobin',
    '718-7',
    'g/dL',
    1,
    { female: [11.1, 15.9], male: [13, 17.7] },
    [6.2, 20],
    { highShare: 0.3, critical: [7, 20] },
  ),
  numeric(
    'hematocrit',
    'Hematocrit',
    '4544-3',
    '%',
    1,
    { female: [34, 46.6], male: [37.5, 51] },
    [18, 62],
    { derive: hematocrit },
  ),
  numeric('mcv', 'MCV', '787-2', 'fL', 0, [79, 97], [62, 115], { highShare: 0.5, tendency: 0.7 }),
  numeric('mch', 'MCH', '785-6', 'pg', 1, [26.6, 33], [18, 40], {
    derive: calculate(
      ['hemoglobin', 'red-blood-cell-count'],
      (hgb = 0, rbc = 1) => (hgb / rbc) * 10,
    ),
  }),
  numeric('mchc', 'MCHC', '786-4', 'g/dL', 1, [31.5, 35.7], [29.5, 37], { tendency: 0.6 }),
  numeric('rdw', 'RDW', '788-0', '%', 1, [11.6, 15.4], [10.8, 22], { highShare: 0.9 }),
  numeric('platelets', 'Platelets', '777-3', 'x10E3/uL', 0, [150, 450], [38, 780], {
    highShare: 0.4,
    critical: [40, null],
  }),
  numeric('neutrophils', 'Neutrophils', '770-8', '%', 0, [null, null], [5, 95], {
    derive: share('neutrophils-absolute'),
  }),
  numeric('lymphocytes', 'Lymphs', '736-9', '%', 0, [null, null], [2, 90], {
    derive: share('lymphocytes-absolute'),
  }),
  numeric('monocytes', 'Monocytes', '5905-5', '%', 0, [null, null], [0, 40], {
    derive: share('monocytes-absolute'),
  }),
  numeric('eosinophils', 'Eos', '713-8', '%', 0, [null, null], [0, 40], {
    derive: share('eosinophils-absolute'),
  }),
  numeric('basophils', 'Basos', '706-2', '%', 0, [null, null], [0, 10], {
    derive: share('basophils-absolute'),
  }),
  numeric(
    'neutrophils-absolute',
    'Neutrophils (Absolute)',
    '751-8',
    'x10E3/uL',
    1,
    [1.4, 7],
    [0.6, 16],
  ),
  numeric(
    'lymphocytes-absolute',
    'Lymphs (Absolute)',
    '731-0',
    'x10E3/uL',
    1,
    [0.7, 3.1],
    [0.3, 6],
  ),
  numeric(
    'monocytes-absolute',
    'Monocytes(Absolute)',
    '742-7',
    'x10E3/uL',
    1,
    [0.1, 0.9],
    [0, 2.1],
    { highShare: 0.95 },
  ),
  numeric('eosinophils-absolute', 'Eos (Absolute)', '711-2', 'x10E3/uL', 1, [0, 0.4], [0, 2], {
    highShare: 1,
  }),
  numeric('basophils-absolute', 'Baso (Absolute)', '704-7', 'x10E3/uL', 1, [0, 0.2], [0, 0.6], {
    highShare: 1,
  }),
];

export const bloodGroup: readonly Biomarker[] = [
  coded('abo-group', 'ABO Grouping', '883-9', [
    { result: 'O', weight: 45 },
    { result: 'A', weight: 38 },
    { result: 'B', weight: 12 },
    { result: 'AB', weight: 5 },
  ]),
  coded('rh-factor', 'Rh Factor', '10331-7', [
    { result: 'Positive', weight: 85 },
    { result: 'Negative', weight: 15 },
  ]),
  coded('antibody-screen', 'Antibody Screen', '890-4', [
    { result: 'Negative', weight: 95, abnormal: false },
    { result: 'Positive', weight: 5, abnormal: true },
  ]),
];
