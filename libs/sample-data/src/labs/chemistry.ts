import { numeric, type Biomarker } from './biomarker.ts';
import { calculate } from './measure.ts';

/** CKD-EPI 2021 (Inker and others, N Engl J Med 2021;385:1737), mL/min/1.73 m2. */
function filtrationRate(creatinine: number, sex: 'female' | 'male', age: number): number {
  const kappa = sex === 'female' ? 0.7 : 0.9;
  const alpha = sex === 'female' ? -0.241 : -0.302;
  const ratio = creatinine / kappa;
  const rate = 142 * Math.min(ratio, 1) ** alpha * Math.max(ratio, 1) ** -1.2 * 0.9938 ** age;
  return sex === 'female' ? rate * 1.012 : rate;
}

/** Comprehensive metabolic panel. */
export const metabolicPanel: readonly Biomarker[] = [
  numeric('glucose', 'Glucose', '2345-7', 'mg/dL', 0, [70, 99], [46, 410], {
    highShare: 0.9,
    critical: [50, 400],
    tendency: 1.3,
  }),
  numeric(
    'urea-nitrogen',
    'BUN',
    '3094-0',
    'mg/dL',
    0,
    (_person, age) => (age < 60 ? [6, 24] : [8, 27]),
    [3, 70],
    { highShare: 0.85 },
  ),
  numeric(
    'creatinine',
    'Creatinine',
    '2160-0',
    'mg/dL',
    2,
    { female: [0.57, 1], male: [0.76, 1.27] },
    [0.4, 4.2],
    { highShare: 0.8 },
  ),
  numeric('egfr', 'eGFR', '98979-8', 'mL/min/1.73', 0, [59, null], [8, 140], {
    derive: (values, person, age) => {
      const creatinine = values.get('creatinine');
      return creatinine === undefined ? undefined : filtrationRate(creatinine, person.sex, age);
    },
  }),
  numeric('bun-creatinine-ratio', 'BUN/Creatinine Ratio', '3097-3', 'ratio', 0, [9, 23], [2, 60], {
    derive: calculate(
      ['urea-nitrogen', 'creatinine'],
      (bun = 0, creatinine = 1) => bun / creatinine,
    ),
  }),
  numeric('sodium', 'Sodium', '2951-2', 'mmol/L', 0, [134, 144], [118, 158], {
    highShare: 0.35,
    critical: [120, 158],
  }),
  numeric('potassium', 'Potassium', '2823-3', 'mmol/L', 1, [3.5, 5.2], [2.4, 6.8], {
    critical: [2.6, 6.2],
  }),
  numeric('chloride', 'Chloride', '2075-0', 'mmol/L', 0, [96, 106], [84, 118]),
  numeric('carbon-dioxide', 'Carbon Dioxide, Total', '2028-9', 'mmol/L', 0, [20, 29], [12, 37], {
    highShare: 0.4,
  }),
  numeric('calcium', 'Calcium', '17861-6', 'mg/dL', 1, [8.7, 10.2], [6.8, 12.6], {
    critical: [6.9, 12.5],
  }),
  numeric('total-protein', 'Protein, Total', '2885-2', 'g/dL', 1, [6, 8.5], [4.8, 10]),
  numeric('albumin', 'Albumin', '1751-7', 'g/dL', 1, [3.8, 4.9], [2.4, 5.6], { highShare: 0.3 }),
  numeric('globulin', 'Globulin, Total', '10834-0', 'g/dL', 1, [1.5, 4.5], [0.5, 7], {
    derive: calculate(['total-protein', 'albumin'], (protein = 0, albumin = 0) =>
      Math.max(protein - albumin, 0.5),
    ),
  }),
  numeric('albumin-globulin-ratio', 'A/G Ratio', '1759-0', 'ratio', 1, [1.2, 2.2], [0.3, 6], {
    derive: calculate(['albumin', 'globulin'], (albumin = 0, globulin = 1) => albumin / globulin),
  }),
  numeric('total-bilirubin', 'Bilirubin, Total', '1975-2', 'mg/dL', 1, [0, 1.2], [0.2, 4.8], {
    highShare: 1,
  }),
  numeric(
    'alkaline-phosphatase',
    'Alkaline Phosphatase',
    '6768-6',
    'IU/L',
    0,
    (person, age) => (age < 18 ? (person.sex === 'male' ? [63, 161] : [47, 113]) : [44, 121]),
    [24, 330],
    { highShare: 0.85 },
  ),
  numeric('ast', 'AST (SGOT)', '1920-8', 'IU/L', 0, [0, 40], [9, 290], { highShare: 1 }),
  numeric('alt', 'ALT (SGPT)', '1742-6', 'IU/L', 0, { female: [0, 32], male: [0, 44] }, [6, 340], {
    highShare: 1,
    tendency: 1.2,
  }),
];

/** Friedewald's formula does not hold above this (Clin Chem 1972;18:499). */
const FRIEDEWALD_LIMIT = 400;

const vldl = calculate(['triglycerides'], (triglycerides = 0) => triglycerides / 5);

/** Lipids. LDL and VLDL are calculated, and missing where triglycerides are too high for that. */
export const lipidPanel: readonly Biomarker[] = [
  numeric('total-cholesterol', 'Cholesterol, Total', '2093-3', 'mg/dL', 0, [100, 199], [80, 420], {
    derive: calculate(
      ['ldl-cholesterol', 'hdl-cholesterol', 'triglycerides'],
      (ldl = 0, hdl = 0, triglycerides = 0) => ldl + hdl + triglycerides / 5,
    ),
  }),
  numeric('triglycerides', 'Triglycerides', '2571-8', 'mg/dL', 0, [0, 149], [38, 520], {
    highShare: 1,
    tendency: 1.2,
  }),
  numeric(
    'hdl-cholesterol',
    'HDL Cholesterol',
    '2085-9',
    'mg/dL',
    0,
    { female: [49, null], male: [39, null] },
    [22, 98],
    { highShare: 0 },
  ),
  numeric('vldl-cholesterol', 'VLDL Cholesterol Cal', '13458-5', 'mg/dL', 0, [5, 40], [4, 80], {
    derive: (values) =>
      (values.get('triglycerides') ?? 0) > FRIEDEWALD_LIMIT ? undefined : vldl(values),
  }),
  numeric('ldl-cholesterol', 'LDL Chol Calc', '13457-7', 'mg/dL', 0, [0, 99], [42, 245], {
    highShare: 1,
    tendency: 1.5,
  }),
  numeric(
    'non-hdl-cholesterol',
    'Non-HDL Cholesterol',
    '43396-1',
    'mg/dL',
    0,
    [0, 129],
    [40, 380],
    {
      derive: calculate(
        ['total-cholesterol', 'hdl-cholesterol'],
        (total = 0, hdl = 0) => total - hdl,
      ),
    },
  ),
  numeric(
    'cholesterol-hdl-ratio',
    'T. Chol/HDL Ratio',
    '9830-1',
    'ratio',
    1,
    { female: [0, 4.4], male: [0, 5] },
    [1, 15],
    {
      derive: calculate(
        ['total-cholesterol', 'hdl-cholesterol'],
        (total = 0, hdl = 1) => total / hdl,
      ),
    },
  ),
];

/** Which values a laboratory can't report although they were drawn, by what came out beside them. */
export function notCalculable(slug: string, values: ReadonlyMap<string, number>): boolean {
  return slug === 'ldl-cholesterol' && (values.get('triglycerides') ?? 0) > FRIEDEWALD_LIMIT;
}

export const ironPanel: readonly Biomarker[] = [
  numeric('iron', 'Iron', '2498-4', 'ug/dL', 0, { female: [27, 159], male: [38, 169] }, [8, 260], {
    highShare: 0.25,
  }),
  numeric('tibc', 'Iron Bind.Cap.(TIBC)', '2500-7', 'ug/dL', 0, [250, 450], [270, 560], {
    highShare: 0.9,
  }),
  numeric(
    'uibc',
    'UIBC',
    '2501-5',
    'ug/dL',
    0,
    { female: [131, 425], male: [111, 343] },
    [10, 540],
    { derive: calculate(['tibc', 'iron'], (tibc = 0, iron = 0) => tibc - iron) },
  ),
  numeric('iron-saturation', 'Iron Saturation', '2502-3', '%', 0, [15, 55], [2, 95], {
    derive: calculate(['iron', 'tibc'], (iron = 0, tibc = 1) => (iron / tibc) * 100),
  }),
  numeric(
    'ferritin',
    'Ferritin',
    '2276-4',
    'ng/mL',
    0,
    { female: [15, 150], male: [30, 400] },
    [3, 900],
    { highShare: 0.3, tendency: 1.3 },
  ),
];
