import type { Parts } from '../parts.ts'
import { isNotRunning } from '../port/fault.ts'

/** How long after its start a guest's firmware and boot loader may still need the TPM. */
const BOOT_MS = 180_000

/**
 * Watches for machines whose TPM dies while they boot: their firmware waits for it for ever, or
 * faults, and nobody sees more than a running machine. They are ended as lost, so that their crash
 * policy starts them again. A guest that has booted keeps running without its TPM: what it does now
 * is worth more.
 * A machine is ended when two looks in a row find it without its TPM, because the TPM of a machine
 * that ends is gone a moment before it.
 */
export interface TpmWatch {
  /** A machine has started: it boots for a while. */
  started(): void
  look(): Promise<void>
}

export function tpmWatch({ domains, orphans, port, settings }: Parts): TpmWatch {
  let before: ReadonlySet<string> = new Set()
  // An earlier agent may just have started one.
  let startedAtMs = Date.now()

  async function isBooting(uuid: string): Promise<boolean> {
    const found = await domains.byUuid(uuid)
    const startedMs = found?.record.startedAt?.getTime() ?? 0
    return found?.active === true && Date.now() - startedMs < BOOT_MS
  }

  async function look(): Promise<void> {
    // Looking means reading about every process of the node.
    if (Date.now() - startedAtMs > BOOT_MS) return
    const now = await orphans.withoutTpm()
    for (const uuid of now) {
      if (!before.has(uuid) || !(await isBooting(uuid))) continue
      settings.log(`The TPM of ${domains.serverOf(uuid)} died while it booted; ending the machine`)
      await port.call('destroyDomain', uuid).catch((error: unknown) => {
        if (!isNotRunning(error)) throw error
      })
    }
    before = now
  }
  const started = (): void => {
    startedAtMs = Date.now()
  }
  return { started, look }
}
