import { whyNoKvm } from '@lodge/driver/kvm.ts'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'

/** Checks whether virtual machines could use KVM; used where no driver can try it. */
export async function checkKvm(): Promise<PreflightCheck> {
  const found = await whyNoKvm()
  if (found) return { id: 'kvm', state: 'warning', summary: found.why, remedy: found.remedy }
  return {
    id: 'kvm',
    state: 'ok',
    summary: '/dev/kvm opens and the processor offers virtualization; the first guest is the proof',
    remedy: null,
  }
}
