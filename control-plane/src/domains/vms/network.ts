import type { NatRule } from '@lodge/shared/machine-spec.ts'
import type { Vm } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import {
  changeDesired,
  findView,
  listPorts,
  respec,
  type ServerView,
  updateMachine,
} from '../servers/index.ts'
import { holdMachine, requireVm } from './access.ts'
import { describeVm } from './describe.ts'

/** Replaces all port forwarding rules of the machine; applies immediately, even while it runs. */
export async function setNatRules(
  ctx: Ctx,
  server: ServerView,
  rules: readonly NatRule[],
): Promise<Vm> {
  requireVm(server)
  return ctx.transaction(async (ctx) => {
    const { row } = await holdMachine(ctx, server)
    // Only ports of this server: another host port would capture traffic of another customer.
    const own = new Set((await listPorts(ctx.db, row.id)).map(({ hostPort }) => hostPort))
    const seen = new Set<string>()
    const faults = rules.flatMap(({ hostPort, protocol }, at) => {
      const key = `${protocol} ${hostPort}`
      const detail = !own.has(hostPort)
        ? 'is not a host port of this server: add one first'
        : seen.has(key)
          ? 'has two rules for the same protocol'
          : undefined
      seen.add(key)
      return detail ? [{ pointer: `/rules/${at}/hostPort`, detail }] : []
    })
    if (faults.length > 0) throw invalid(faults)
    await updateMachine(ctx.db, row.id, { natRules: [...rules] })
    await changeDesired(ctx, row, { ...(await respec(ctx, row)) })
    const view = await findView(ctx.db, row.id)
    return describeVm(ctx, view ?? server)
  })
}
