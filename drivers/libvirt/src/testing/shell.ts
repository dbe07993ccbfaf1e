import type { ConsoleWatch } from '@lodge/driver/suite/watch.ts'
import { watchConsole } from '@lodge/driver/suite/watch.ts'
import type { LibvirtDriver } from '../libvirt.ts'

/** A root shell in a test guest, on its serial console. */
export interface GuestShell {
  readonly lines: ConsoleWatch
  /** Returns the command's output. Throws when it does not finish. */
  run(command: string): Promise<string>
}

/** Begins reading; the guest may be started afterwards. */
export function guestShell(
  driver: LibvirtDriver,
  serverId: string,
  signal: AbortSignal,
): GuestShell {
  const lines = watchConsole(driver, serverId, signal)
  let count = 0
  return {
    lines,
    async run(command) {
      count += 1
      const [begin, end] = [`begin${count}-`, `end${count}-`]
      // The quotes keep the shell's echo of this line from matching the marks.
      const line = `echo be''gin${count}-; ${command}; echo en''d${count}-\n`
      await driver.console.write(serverId, Buffer.from(line))
      const text = await lines.until(end)
      return text
        .slice(text.lastIndexOf(begin) + begin.length, text.lastIndexOf(end))
        .replaceAll('\r', '')
        .trim()
    },
  }
}
