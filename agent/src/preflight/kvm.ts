import { access, constants, open, readFile } from 'node:fs/promises'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'

/**
 * Can virtual machines use the processor itself? The device may be there and open while the machine
 * carries no guest, so what the processor says counts as well.
 */
export async function checkKvm(): Promise<PreflightCheck> {
  const remedy = 'Switch on virtualization in the firmware, or nested virtualization on the host'
  const there = await access('/dev/kvm', constants.F_OK).then(
    () => true,
    () => false,
  )
  if (!there) {
    return {
      id: 'kvm',
      state: 'warning',
      summary: 'There is no KVM: virtual machines would be slow',
      remedy,
    }
  }
  const opened = await open('/dev/kvm', 'r+').then(
    async (file) => {
      await file.close()
      return true
    },
    () => false,
  )
  if (!opened) {
    return {
      id: 'kvm',
      state: 'warning',
      summary: '/dev/kvm is there and may not be opened: virtual machines would be slow',
      remedy: 'Let the agent run as root or in the group kvm',
    }
  }
  const processor = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  if (/^flags\s*:/m.test(processor) && !/^flags\s*:.*\b(vmx|svm)\b/m.test(processor)) {
    return {
      id: 'kvm',
      state: 'warning',
      summary:
        '/dev/kvm opens, but the processor offers no virtualization: it is not to be relied on',
      remedy,
    }
  }
  return {
    id: 'kvm',
    state: 'ok',
    summary: '/dev/kvm opens and the processor offers virtualization; the first guest is the proof',
    remedy: null,
  }
}
