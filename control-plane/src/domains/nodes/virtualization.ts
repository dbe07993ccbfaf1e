import type { Node } from '@lodge/shared/nodes.ts'
import { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { updateNode } from './store.ts'
import type { NodeRow } from './tables.ts'

/** Parses an agent's report; undefined if it is invalid. */
export function readVirtualization(text: string | undefined): VirtualizationReport | undefined {
  if (!text) return undefined
  try {
    // PostgreSQL cannot store NUL.
    const parsed = VirtualizationReport.safeParse(JSON.parse(text.replaceAll('\\u0000', '')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Updates a node's virtualization report and settings. */
export async function editVirtualization(
  ctx: Ctx,
  id: string,
  change: Partial<Pick<NodeRow, 'virtualization' | 'vmEnabled' | 'vmEmulation'>>,
): Promise<NodeRow> {
  return ctx.transaction(async (ctx) => {
    const row = await updateNode(ctx.db, id, change)
    if (!row) throw notFound('node')
    await ctx.live.announce(ctx.db, { kind: 'node', id })
    return row
  })
}

export function describeVirtualization(row: NodeRow): Node['virtualization'] {
  const { virtualization: report } = row
  const found = report && {
    available: report.available,
    why: report.why,
    kvm: report.kvm,
    kvmWhy: report.kvmWhy,
    libvirtVersion: report.libvirtVersion,
    qemuVersion: report.qemuVersion,
    tpm: report.tpm,
    checks: report.checks,
  }
  return { enabled: row.vmEnabled, emulationAllowed: row.vmEmulation, found: found ?? null }
}
