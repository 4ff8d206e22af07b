import * as v from 'valibot';

/** A text of `min` to `max` UTF-16 code units. */
export function text(min: number, max: number): v.GenericSchema<string> {
  return v.pipe(v.string(), v.minLength(min), v.maxLength(max));
}

export function integer(min: number, max: number): v.GenericSchema<number> {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max));
}

export function list<const S extends v.GenericSchema>(
  item: S,
  max: number,
): v.GenericSchema<v.InferInput<S>[], v.InferOutput<S>[]> {
  return v.pipe(v.array(item), v.maxLength(max));
}
