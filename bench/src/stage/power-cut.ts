import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { endWorkloads } from '../../../drivers/docker/src/testing/remains.ts'
import type { Network } from '../../../test/real/support/network.ts'

/**
 * Kills everything in the network and every container of its engine at once, as a power cut does:
 * nothing says goodbye to anybody.
 * @param engineFolder of the engine whose containers have networks of their own
 */
export async function cutPower(network: Network, engineFolder: string): Promise<void> {
  const { code, output } = await runProgram('ip', ['netns', 'pids', network.name])
  if (code !== 0) throw new Error(`ip netns pids: ${output}`)
  for (const pid of output.split('\n').map(Number)) {
    if (pid <= 1) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Its parent has taken it along.
    }
  }
  await endWorkloads(engineFolder)
}
