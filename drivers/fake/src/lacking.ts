import type { Capability } from '@lodge/driver/capabilities.ts'
import type { Driver } from '@lodge/driver/driver.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'

/** The same driver without these capabilities. */
export function without(
  driver: Driver<WorkloadSpec>,
  names: readonly Capability[],
): Driver<WorkloadSpec> {
  return { ...driver, ...Object.fromEntries(names.map((name) => [name, undefined])) }
}

const OF_MACHINES = [
  'virtualization',
  'snapshots',
  'screen',
  'media',
  'transfer',
  'diskUsage',
] as const satisfies readonly Capability[]

/** The same driver, but for containers only. */
export const containersOnly = (driver: Driver<WorkloadSpec>): Driver<WorkloadSpec> => ({
  ...without(driver, OF_MACHINES),
  runs: ['container'],
})

/** The same driver, but for machines only. */
export const machinesOnly = (driver: Driver<WorkloadSpec>): Driver<WorkloadSpec> => ({
  ...without(driver, ['images', 'files']),
  runs: ['machine'],
})
