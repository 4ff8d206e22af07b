/**
 * UCUM codes (https://ucum.org) of units as laboratories write them. Other units get no code, since many would read
 * as something else: UCUM reads `K/uL` as kelvin.
 */
const UCUM: ReadonlyMap<string, string> = new Map([
  ...['%', 'fL', 'pg', 'min', 'mm'].map((unit) => [unit, unit] as const),
  ...['g/dL', 'mg/dL', 'ug/dL', 'ng/dL', 'pg/dL'].map((unit) => [unit, unit] as const),
  ...['g/L', 'mg/L', 'ug/L', 'ng/L'].map((unit) => [unit, unit] as const),
  ...['mg/mL', 'ug/mL', 'ng/mL', 'pg/mL'].map((unit) => [unit, unit] as const),
  ...['mmol/L', 'umol/L', 'nmol/L', 'pmol/L', 'meq/L'].map((unit) => [unit, unit] as const),
  ...['U/L', 'kU/L', 'mU/L', 'U/mL', 'mU/mL'].map((unit) => [unit, unit] as const),
  ...['mg/g', 'ug/mg', 'mm/h', 'mmol/mol'].map((unit) => [unit, unit] as const),
  ['x10E3/uL', '10*3/uL'],
  ['x10E6/uL', '10*6/uL'],
  ['K/uL', '10*3/uL'],
  ['M/uL', '10*6/uL'],
  ['Thousand/uL', '10*3/uL'],
  ['Million/uL', '10*6/uL'],
  ['cells/uL', '{cells}/uL'],
  ['/hpf', '/[HPF]'],
  ['/lpf', '/[LPF]'],
  ['IU/L', '[IU]/L'],
  ['IU/mL', '[IU]/mL'],
  ['mIU/L', 'm[IU]/L'],
  ['mIU/mL', 'm[IU]/mL'],
  ['uIU/mL', 'u[IU]/mL'],
  ['mL/min/1.73', 'mL/min/{1.73_m2}'],
  ['mL/min/1.73m2', 'mL/min/{1.73_m2}'],
  ['mEq/L', 'meq/L'],
  ['mcg/dL', 'ug/dL'],
  ['mcg/mL', 'ug/mL'],
  ['mg/g creat', 'mg/g{creat}'],
  ['mm/hr', 'mm/h'],
  ['pH', '[pH]'],
  ['ratio', '{ratio}'],
]);

export function buildUnit(written: string | undefined): {
  unit?: string;
  system?: string;
  code?: string;
} {
  if (written === undefined) return {};
  const code = UCUM.get(written);
  return code === undefined
    ? { unit: written }
    : { unit: written, system: 'http://unitsofmeasure.org', code };
}
