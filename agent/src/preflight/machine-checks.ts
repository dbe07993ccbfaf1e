import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'

/**
 * The node report's checks on virtual machines, copied from the virtualization report, which is
 * shown beside it in full. Failures become warnings: a node for containers does not need libvirt.
 */
export function machineChecks(found: VirtualizationReport | null): PreflightCheck[] {
  return (['libvirt', 'kvm'] as const).flatMap((id) => {
    const check = found?.checks.find((one) => one.id === id)
    if (!check) return []
    const { state, summary, remedy } = check
    return [{ id, state: state === 'failed' ? 'warning' : state, summary, remedy }]
  })
}
