import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { createTicket, requireOnNode, type SharedServer } from '../servers/index.ts'
import { requireVm } from './access.ts'

/** A single-use ticket for the screen or serial console. A machine that is off has no screen. */
export async function createVmTicket(
  ctx: Ctx<User>,
  server: SharedServer,
  kind: 'vnc' | 'serial',
): ReturnType<typeof createTicket> {
  requireVm(server)
  if (kind === 'vnc') await requireOnNode(ctx, server, 'screen')
  const off = ['stopped', 'crashed', 'absent', 'installing'].includes(server.observedState)
  if (kind === 'vnc' && off)
    throw new Problem('invalid_state', 'The machine is off and has no screen: start it first')
  return createTicket(ctx, server, kind)
}
