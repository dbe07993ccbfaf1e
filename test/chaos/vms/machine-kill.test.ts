import { HardwareProfile } from '@lodge/shared/machine-profile.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UEFI_PROFILE } from '../../../drivers/libvirt/src/testing/fixture.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import {
  type MachineFleet,
  makeCatalogue,
  startMachineFleet,
} from '../../real/support/machine-fleet.ts'
import { lengthOf } from '../../run/lengths.ts'
import { allBlows, type Blow, type Operation, STEPS } from './machine-faults.ts'
import { type Round, Rounds } from './machine-rounds.ts'
import { CopyWatch } from './machine-watch.ts'

/** How often every part is killed at every step; 0 runs a fixed few faults. */
const TIMES = lengthOf('LODGE_MACHINE_FAULTS')
/** Only some operations of the full run, separated by commas. */
const ONLY = process.env.LODGE_MACHINE_OPERATIONS?.split(',')
/** Only some of these faults, `from-to`. */
const [FROM = 0, TO] = (process.env.LODGE_MACHINE_BLOWS ?? '')
  .split('-')
  .filter(Boolean)
  .map(Number)

const FEW: readonly Blow[] = [
  { operation: 'create', step: 'Install', part: 'agent' },
  { operation: 'restore', step: 'Restore', part: 'libvirtd' },
]

const missing = await libvirtMissing()
const rounds: Round[] = []

describe.skipIf(missing !== null)('kill -9 of any part during operations on a machine', () => {
  let fleet: MachineFleet
  const watch = new CopyWatch()
  let all: Rounds

  async function open(): Promise<void> {
    fleet = await startMachineFleet()
    all = new Rounds(fleet, await makeCatalogue(fleet, HardwareProfile.parse(UEFI_PROFILE)), watch)
  }
  beforeAll(open)
  afterAll(async () => {
    watch.close()
    if (rounds.length > 0) console.log(table(rounds, watch.looks))
    await fleet?.[Symbol.asyncDispose]()
  })

  const blows =
    TIMES === 0
      ? FEW
      : (Object.keys(STEPS) as Operation[])
          .filter((operation) => ONLY?.includes(operation) ?? true)
          .flatMap((operation) => Array.from({ length: TIMES }, () => allBlows(operation)).flat())
          .slice(FROM, TO)

  test(`${blows.length} faults lose no disk, run nothing twice and leave nothing behind`, {
    timeout: 120_000 + blows.length * 400_000,
  }, async () => {
    if (TIMES > 0)
      for (const operation of new Set(blows.map((blow) => blow.operation)))
        rounds.push(await all.run(operation, null, 'process'))
    const failures: string[] = []
    for (const blow of blows) {
      try {
        const round = await all.run(blow.operation, blow, 'process')
        rounds.push(round)
        if (TIMES > 0) console.log(line(round))
      } catch (error) {
        const what = `${blow.part} at ${blow.operation}/${blow.step}`
        failures.push(`${what}: ${error instanceof Error ? error.message : error}`)
        if (TIMES === 0) break
        console.log(failures.at(-1))
        await fleet[Symbol.asyncDispose]()
        await open()
      }
    }
    expect(failures).toEqual([])
    await all.delete()
  })
})

test(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})

function line({ blow, struck, outcome, tookMs }: Round): string {
  const what = blow ? `${blow.operation}/${blow.step} ${blow.part}` : 'calm'
  return `${what.padEnd(44)} ${struck ? 'struck' : 'missed'} ${(tookMs / 1000).toFixed(1).padStart(5)} s  ${outcome}`
}

function table(all: readonly Round[], looks: number): string {
  const lines = all.map(line)
  return [...lines, `looked ${looks} times for a machine that runs twice`].join('\n')
}
