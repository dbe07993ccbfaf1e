import { DriverError } from '@lodge/driver/driver.ts'
import type { ReconciledServer } from '../state/reconciled-server.ts'

/**
 * Has the runtime boot a server, and remembers that it was told to until it has said what became of
 * it. A runtime that hangs may carry that out late, when this agent is long dead: until another has
 * seen whether it runs, the node does not say that nothing of it does.
 */
export async function tellToBoot(
  reconciler: ReconciledServer,
  boot: () => Promise<void>,
): Promise<void> {
  const { memory } = reconciler
  memory.booting = true
  reconciler.save()
  try {
    await boot()
    memory.booting = false
  } catch (error) {
    // What else fails is the answer of the runtime, or was refused before it was asked.
    if (error instanceof DriverError && error.code !== 'runtime_unavailable') memory.booting = false
    throw error
  }
}
