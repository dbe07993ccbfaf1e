import type { EditNodeVirtualization } from '@lodge/shared/nodes.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import type { Ctx } from '../../context.ts'
import { TaskFailure } from '../../fleet/tasks.ts'
import { Problem } from '../../problem.ts'
import {
  describeNode,
  editVirtualization,
  type NodeRow,
  readVirtualization,
} from '../nodes/index.ts'
import { MACHINE_CAPABILITY } from './fitness.ts'

const CHECK_MS = 60_000

/**
 * Allows or stops new virtual machines on a node. Before allowing, the agent rechecks all
 * requirements; existing servers continue either way.
 */
export async function switchVirtualization(
  ctx: Ctx,
  node: NodeRow,
  change: EditNodeVirtualization,
) {
  const vmEmulation = change.emulationAllowed ?? node.vmEmulation
  if (!change.enabled)
    return describeNode(await editVirtualization(ctx, node.id, { vmEnabled: false, vmEmulation }))
  const virtualization = await lookAgain(ctx, node)
  // Store the findings even if the answer is no, because they show what to fix.
  const seen = await editVirtualization(ctx, node.id, { virtualization })
  requirePrepared(seen, virtualization, vmEmulation)
  return describeNode(await editVirtualization(ctx, node.id, { vmEnabled: true, vmEmulation }))
}

async function lookAgain(ctx: Ctx, node: NodeRow): Promise<VirtualizationReport> {
  if (!node.capabilities.includes(MACHINE_CAPABILITY))
    throw new Problem(
      'unsupported_on_node',
      `The agent of ${node.name} runs no virtual machines: update it and start it with the libvirt driver`,
      { fields: { missing: [MACHINE_CAPABILITY] } },
    )
  try {
    const done = await ctx.fleet.runTask(
      node.id,
      { work: { $case: 'checkVirtualization', value: {} } },
      { timeoutMs: CHECK_MS },
    )
    const report = readVirtualization(
      done.output?.$case === 'virtualization' ? done.output.value.report : undefined,
    )
    if (report) return report
    throw new Problem('unsupported_on_node', `The agent of ${node.name} is too old: update it`)
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error
    throw new Problem('unsupported_on_node', `${node.name} could not be checked: ${error.detail}`)
  }
}

function requirePrepared(
  node: NodeRow,
  found: VirtualizationReport,
  emulationAllowed: boolean,
): void {
  const noKvm = !found.kvm && !(emulationAllowed && found.emulation)
  if (found.available && !noKvm) return
  const missing = found.checks
    .filter(({ id, state }) => state === 'failed' || (noKvm && id === 'kvm'))
    .map(({ id, summary, remedy }) => ({ id, summary, remedy }))
  const why = found.available
    ? `${found.kvmWhy} Mend that, or allow emulation, which is many times slower`
    : `${found.why}${missing[0]?.remedy ? `. ${missing[0].remedy}` : ''}`
  throw new Problem('unsupported_on_node', `${node.name} is not prepared: ${why}`, {
    fields: { missing },
  })
}
