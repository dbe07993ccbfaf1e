import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import type { UserRow } from '../customers/index.ts'
import { lockOwner } from '../customers/index.ts'
import {
  findMachine,
  findView,
  lockServer,
  type MachineRow,
  type ServerRow,
  type ServerView,
} from '../servers/index.ts'

/** @throws {Problem} invalid_state for a container */
export function requireVm(server: Pick<ServerView, 'kind' | 'name'>): void {
  if (server.kind === 'vm') return
  throw new Problem('invalid_state', `${server.name} is a container server, not a virtual machine`)
}

/** A machine with its rows held until the transaction ends. */
export interface HeldMachine {
  readonly owner: UserRow
  readonly row: ServerRow
  readonly machine: MachineRow
  readonly view: ServerView
}

/** Holds owner and server, in this order as everywhere, and reads what the machine is now. */
export async function holdMachine(ctx: Ctx, server: ServerView): Promise<HeldMachine> {
  const owner = await lockOwner(ctx.db, server.ownerId)
  const row = await lockServer(ctx.db, server.id)
  const machine = row && (await findMachine(ctx.db, row.id))
  const view = row && (await findView(ctx.db, row.id))
  if (!owner || !row || !machine || !view) throw notFound('server')
  return { owner, row, machine, view }
}
