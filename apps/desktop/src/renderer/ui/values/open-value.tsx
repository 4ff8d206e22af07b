import { useText, type MessageKey } from '../../i18n/text.tsx';

/** A value of an open enum. An unknown value is shown as it is and marked. */
export function OpenValue(props: {
  readonly value: string | null | undefined;
  readonly knownValues: readonly string[];
  readonly getKey: (value: string) => MessageKey;
}) {
  const { value, knownValues, getKey } = props;
  const text = useText();
  if (value === null || value === undefined) return <>{text('value.none')}</>;
  if (knownValues.includes(value)) return <>{text(getKey(value))}</>;
  return (
    <strong className="noticed wrap">
      <bdi>{text('value.quoted', { value })}</bdi> {text('value.unrecognised')}
    </strong>
  );
}
