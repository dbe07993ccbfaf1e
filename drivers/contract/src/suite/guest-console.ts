import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { expect, it } from 'vitest'
import type { Driver } from '../driver.ts'
import { having } from './having.ts'
import { type ConsoleWatch, type EventWatch, watchConsole } from './watch.ts'

/** What a test wants a guest to do; each driver's fixture implements it. */
export type GuestProgram =
  /** Prints `ready`, and powers off on request. */
  | 'run'
  /** Prints `ready` and ignores its power button. */
  | 'deaf'
  /** Prints `ready` and then echoes every input line. */
  | 'echo'
  /** Prints `bye` and powers off. */
  | 'exit'
  /** Prints `ready`, then its kernel panics. */
  | 'panic'
  /** Prints `ready` and reboots, over and over. */
  | 'reboot'

export interface StartedGuest {
  readonly serverId: string
  readonly spec: MachineSpec
  readonly lines: ConsoleWatch
}

/** The environment of real guests. */
export interface Guests {
  driver(): Pick<Driver, 'console' | 'recover' | 'kill' | 'remove'>
  events(): EventWatch
  signal(): AbortSignal
  started(program: GuestProgram): Promise<StartedGuest>
  restartAgent(): Promise<void>
}

export function guestConsoleSuite(guests: Guests): void {
  const { driver, events, signal, started, restartAgent } = guests
  const serial = () => having(driver(), 'console')

  it('sends lines to a guest and back, even after the agent is replaced', async () => {
    const { serverId, lines } = await started('echo')
    await serial().write(serverId, Buffer.from('say "hello"; $(id)\n'))
    await lines.until('say "hello"; $(id)')
    await restartAgent()
    await driver().recover(signal())
    const anew = watchConsole(driver(), serverId, signal())
    await serial().write(serverId, Buffer.from('still here\n'))
    await anew.until('still here')
    await driver().kill(serverId)
    await events().until('exited', serverId)
    const [last] = await serial().tail(serverId, 1, 'run')
    expect(last).toMatch(/still here$/)
    await expect(serial().write(serverId, Buffer.from('x'))).rejects.toMatchObject({
      code: 'not_running',
    })
    await driver().remove(serverId)
  })
}
