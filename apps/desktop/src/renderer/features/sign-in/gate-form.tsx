import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { useText } from '../../i18n/text.tsx';

export function GateForm(props: {
  readonly icon?: LucideIcon | undefined;
  readonly title: string;
  readonly lead?: string | undefined;
  readonly problem?: Problem | undefined;
  readonly children?: ReactNode;
  readonly onSubmit: () => void;
  readonly submit: string;
  readonly hasKey?: boolean;
  readonly others?: ReactNode;
}): ReactElement {
  const { icon, title, lead, problem, children, onSubmit, submit, others } = props;
  const { hasKey = false } = props;
  return (
    <Stack
      as="form"
      gap="gap4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {icon !== undefined && <Icon big of={icon} />}
      <Heading title={title} lead={lead} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {children}
      <Row>
        <Button kind="main" type="submit">
          {submit}
          {hasKey && <KeyCap keys="Enter" />}
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
