import { access, constants, open, readFile } from 'node:fs/promises'

/** Why KVM cannot be used, worded for the administrator. */
export interface NoKvm {
  readonly why: string
  readonly remedy: string
  /** False where only booting a guest could tell: some hosts support KVM without advertising it. */
  readonly certain: boolean
}

const SWITCH_ON =
  'Switch on virtualization in the firmware of the node, or nested virtualization on its host.'

/**
 * Checks for KVM without starting a guest; null when nothing speaks against it. Shared by the
 * agent's report and the driver's, so that both give the same reason.
 */
export async function whyNoKvm(): Promise<NoKvm | null> {
  const there = await access('/dev/kvm', constants.F_OK).then(
    () => true,
    () => false,
  )
  if (!there)
    return { why: 'This node has no KVM: there is no /dev/kvm.', remedy: SWITCH_ON, certain: true }
  const opened = await open('/dev/kvm', 'r+').then(
    async (file) => {
      await file.close()
      return true
    },
    () => false,
  )
  if (!opened)
    return {
      why: 'This node has no KVM: /dev/kvm cannot be opened.',
      remedy: `Let the agent run as root. ${SWITCH_ON}`,
      certain: true,
    }
  const processor = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  if (!/^flags\s*:/m.test(processor) || /^flags\s*:.*\b(vmx|svm)\b/m.test(processor)) return null
  return {
    why: 'This node has no KVM: /dev/kvm is there, but the processor offers no virtualization.',
    remedy: SWITCH_ON,
    certain: false,
  }
}
