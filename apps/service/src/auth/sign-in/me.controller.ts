import { Controller, Get, Header, Inject } from '@nestjs/common';
import type { Me } from '@caregate/domain';
import { PERMISSIONS_IN_FORCE } from '../../common/tokens.ts';
import { JSON_MEDIA_TYPE } from '../../common/answer.ts';
import { OPERATION_NAMES, findSubject, type OperationName } from '../../operations/operations.ts';
import { decide, type PermissionTable } from '../../operations/permission-table.ts';
import { Operation } from '../operation.decorator.ts';
import { CurrentPrincipal, type AllowedPrincipal } from '../caller.ts';
import { CurrentSession } from './current-session.controller.ts';
import { toSessionTimes, type SessionRow } from '../repositories/session.repository.ts';

@Controller('access/me')
export class MeController {
  constructor(@Inject(PERMISSIONS_IN_FORCE) private readonly table: PermissionTable) {}

  @Get()
  @Operation('me')
  @Header('content-type', JSON_MEDIA_TYPE)
  getMe(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @CurrentSession() session: SessionRow | undefined,
  ): Me {
    const { kind, role, teamId } = principal;
    return {
      kind,
      name: principal.kind === 'key' ? principal.label : principal.name,
      role,
      team_id: teamId,
      ...(principal.kind === 'staff' && { staff_id: principal.staffId }),
      ...(session !== undefined && {
        desk: { desk_id: session.desk_id, name: session.desk_name },
        session: toSessionTimes(session),
      }),
      permissions: Object.fromEntries(
        OPERATION_NAMES.map((name) => [name, this.#getPermission(principal, name)]),
      ),
    };
  }

  #getPermission(
    principal: AllowedPrincipal,
    name: OperationName,
  ): 'yes' | 'mask' | 'no' | 'emergency' {
    const decision = decide(this.table, principal, name);
    const canAsk = decide(this.table, principal, 'askBreakGlass') === 'yes';
    return decision === 'no' && canAsk && findSubject(name) !== undefined ? 'emergency' : decision;
  }
}
