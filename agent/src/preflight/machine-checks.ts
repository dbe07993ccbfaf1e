import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/**
 * What the report about the node says of virtual machines: the same as the report about them, whose other
 * checks are shown beside it. A node that runs containers is none the worse for want of libvirt.
 */
export function machineChecks(found: VirtualizationReport | null): PreflightCheck[] {
  return (['libvirt', 'kvm'] as const).flatMap((id) => {
    const check = found?.checks.find((one) => one.id === id)
    if (!check) return []
    const { state, summary, remedy } = check
    return [{ id, state: state === 'failed' ? 'warning' : state, summary, remedy }]
  })
}
