import { useRef, useState } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import type { Problem } from '../../../bridge/problem.ts';
import { Button, Field, KeyCap } from '../../components/controls.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { useText } from '../../text/text.tsx';

export function GateForm(props: {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly problem?: Problem | undefined;
  readonly children?: ReactNode;
  readonly onSubmit: () => void;
  readonly submit: ReactNode;
  readonly others?: ReactNode;
}): ReactElement {
  const { title, lead, problem, children, onSubmit, submit, others } = props;
  return (
    <Stack
      as="form"
      gap="gap4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Heading title={title} lead={lead} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {children}
      <Row>
        <Button kind="main" type="submit">
          {submit}
        </Button>
        {others}
      </Row>
    </Stack>
  );
}

export function Heading({
  title,
  lead,
}: {
  title: string;
  lead?: string | undefined;
}): ReactElement {
  return (
    <div>
      <h1>{title}</h1>
      {lead !== undefined && <p className="quiet body">{lead}</p>}
    </div>
  );
}

/** A step with one required field. */
export function OneFieldForm(props: {
  readonly title: string;
  readonly lead: string;
  readonly label: string;
  readonly help: string;
  readonly missing: string;
  readonly working: string;
  readonly maxLength: number;
  readonly autoComplete?: string;
  readonly first?: string;
  /** Whether a problem is shown at the field. */
  readonly isAtField: (problem: Problem) => boolean;
  readonly send: (typed: string) => Promise<unknown>;
  readonly onDone?: (typed: string) => void;
  readonly above?: ReactNode;
  readonly below?: (field: {
    readonly typed: string;
    readonly setTyped: (typed: string) => void;
    readonly input: RefObject<HTMLInputElement | null>;
  }) => ReactNode;
  readonly others?: ReactNode;
}): ReactElement {
  const { label, help, missing, maxLength, autoComplete, isAtField, above, below } = props;
  const text = useText();
  const problemText = useProblemText();
  const [typed, setTyped] = useState(props.first ?? '');
  const [isMissing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { run, working, problem, clear } = useAttempt(() => input.current?.focus());
  const isHere = problem !== undefined && isAtField(problem);
  return (
    <GateForm
      title={props.title}
      lead={props.lead}
      problem={isHere ? undefined : problem}
      submit={
        <>
          {working ? props.working : text('connect.submit')}
          <KeyCap keys="Enter" />
        </>
      }
      others={props.others}
      onSubmit={() => {
        const isEmpty = typed.trim() === '';
        setMissing(isEmpty);
        if (isEmpty) input.current?.focus();
        else
          run(
            () => props.send(typed),
            () => props.onDone?.(typed),
          );
      }}
    >
      {above}
      <Field
        code
        autoFocus
        label={label}
        help={help}
        error={isMissing ? missing : isHere ? problemText(problem) : undefined}
        value={typed}
        onChange={(next) => {
          setTyped(next);
          setMissing(false);
          clear();
        }}
        inputRef={input}
        maxLength={maxLength}
        {...(autoComplete !== undefined && { autoComplete })}
      />
      {below?.({ typed, setTyped, input })}
    </GateForm>
  );
}

export function OtherClinic({
  onPress,
}: {
  onPress: (() => void) | undefined;
}): ReactElement | null {
  const text = useText();
  if (onPress === undefined) return null;
  return (
    <Button kind="quiet" onPress={onPress}>
      {text('connect.other')}
    </Button>
  );
}
