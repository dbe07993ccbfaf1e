import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/**
 * Of a plugin's processes: 36 parts of the CPU to 1024 of the control plane while both want it, and the rest
 * while nobody else does. Far less, and a plugin that must answer, such as about a payment, would not do so in
 * time on a machine that is always busy.
 */
export const PLUGIN_NICENESS = 15
/** Starting takes more than an answer, and is not repeated at will: 335 parts. */
export const STARTING_NICENESS = 5

/** The kernel takes one such change in a tenth of a second from all who are not root. */
const ATTEMPTS = 50
const AGAIN_MS = 110

/**
 * Sets the share of the CPU that the whole session of a process has. Outside of cgroups, Linux shares the
 * CPU among sessions (sched_autogroup) before it looks at the niceness of their processes, so without this
 * a nice process with a session of its own takes as much as the control plane.
 */
export async function shareOfSession(pid: number, niceness: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, `${niceness}`, { flag: 'r+' })
    } catch (error) {
      // Otherwise it has ended, or the kernel has no such groups.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await setTimeout(AGAIN_MS)
    }
  }
}
