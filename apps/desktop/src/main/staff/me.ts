import type { Me } from '../../bridge/people.ts';
import type { Outcome } from '../../bridge/problem.ts';
import { meShape } from './answers.ts';
import type { ServiceSession } from '../service/service-session.ts';
import { accessProblem } from '../service/service-problem.ts';

/** Who is at the desk and what they may call, as the service says. Never throws. */
export async function askMe(service: ServiceSession): Promise<Outcome<Me>> {
  const answer = await service.request({ method: 'GET', path: '/access/me' });
  if (answer === undefined) return { ok: false, problem: { kind: 'offline' } };
  if (answer.status >= 400) return { ok: false, problem: accessProblem(answer, Date.now()) };
  const verdict = meShape(parsed(answer.body));
  if (!verdict.ok) return { ok: false, problem: { kind: 'serverBroken' } };
  const { kind, name, role, permissions } = verdict.value;
  return {
    ok: true,
    value: {
      kind: kind === 'staff' ? 'staff' : 'key',
      name,
      role,
      permissions: Object.entries(permissions).flatMap(([operation, may]) =>
        may === 'yes' || may === 'mask' || may === 'no' || may === 'emergency'
          ? [{ operation, may }]
          : [],
      ),
    },
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
