import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { expect, it } from 'vitest'
import type { Driver } from '../driver.ts'
import { having } from './having.ts'
import { type ConsoleWatch, type EventWatch, watchConsole } from './watch.ts'

/** What a test wants a guest to do; every driver's fixture says how, in its own world. */
export type GuestProgram =
  /** Prints `ready`, and powers off when it is asked to. */
  | 'run'
  /** Prints `ready` and does not listen to its power button. */
  | 'deaf'
  /** Prints `ready` and then every line of its input. */
  | 'echo'
  /** Prints `bye` and powers itself off. */
  | 'exit'
  /** Prints `ready`, and its system breaks down. */
  | 'panic'
  /** Prints `ready` and restarts itself, again and again. */
  | 'reboot'

export interface StartedGuest {
  readonly serverId: string
  readonly spec: MachineSpec
  readonly lines: ConsoleWatch
}

/** The world of real guests. */
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

  it('carries lines to a guest and back, also for another agent', async () => {
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
