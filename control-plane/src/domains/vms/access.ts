import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import {
  findMachine,
  type HeldServer,
  holdServer,
  type MachineRow,
  type Operation,
  operate,
  type ServerView,
} from '../servers/index.ts'

/** @throws {Problem} invalid_state for a container */
export function requireVm(server: Pick<ServerView, 'kind' | 'name'>): void {
  if (server.kind === 'vm') return
  throw new Problem('invalid_state', `${server.name} is a container server, not a virtual machine`)
}

/** A machine whose rows are locked until the transaction ends. */
export interface HeldMachine extends HeldServer {
  readonly machine: MachineRow
}

/** Locks owner and server like `holdServer`, and reads the machine. */
export async function holdMachine(ctx: Ctx, server: ServerView): Promise<HeldMachine> {
  const held = await holdServer(ctx, server)
  const machine = await findMachine(ctx.db, server.id)
  if (!machine) throw notFound('server')
  return { ...held, machine }
}

/** `operate` on a machine. */
export function operateMachine(
  ctx: Ctx,
  server: ServerView,
  plan: (ctx: Ctx, held: HeldMachine) => Promise<Operation>,
): Promise<{ jobId: string }> {
  requireVm(server)
  return operate(ctx, server, async (ctx, held) => {
    const machine = await findMachine(ctx.db, server.id)
    if (!machine) throw notFound('server')
    return plan(ctx, { ...held, machine })
  })
}
