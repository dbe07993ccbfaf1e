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

/**
 * Whether a TCP connection from the guest to each of these places (`address:port`) opens within
 * three seconds. All are tried at once.
 */
export async function reachable(
  shell: GuestShell,
  places: readonly string[],
): Promise<Readonly<Record<string, 'open' | 'closed'>>> {
  const probe = (place: string) => `probe ${place.replace(':', ' ')} &`
  const output = await shell.run(
    `probe() { nc -w 3 $1 $2 </dev/null >/dev/null 2>&1 && echo $1:$2 open || echo $1:$2 closed; }; (${places.map(probe).join(' ')} wait)`,
  )
  return Object.fromEntries(output.split('\n').map((line) => line.trim().split(' ')))
}

/** The result of `reachable` for places that are all the same. */
export const each = (state: 'open' | 'closed', places: readonly string[]) =>
  Object.fromEntries(places.map((place) => [place, state]))
