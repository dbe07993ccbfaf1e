import type { Sizes } from '../container/values.ts'
import { initialVm, type VmValues } from '../vm/vm-values.ts'
import { mostOf, type Options } from './quota.ts'

/** What a new machine counts against the limits: a processor is 100 %, and all disks count. */
export const machineSizes = (
  values: Pick<VmValues, 'vcpus' | 'memoryMb' | 'diskMb' | 'extraDisksMb'>,
): Sizes => ({
  memoryMb: values.memoryMb ?? 0,
  cpuPercent: (values.vcpus ?? 0) * 100,
  diskMb: [values.diskMb, ...values.extraDisksMb].reduce<number>((sum, mb) => sum + (mb ?? 0), 0),
})

/** Initial values: usual sizes, smaller when the limits leave less, never below the hardware's minimum. */
export const firstOwnMachine = ({ machines, limits }: Options): VmValues =>
  initialVm(machines, '', () => ({
    memoryMb: mostOf(limits, 'memoryMb'),
    cpuPercent: mostOf(limits, 'cpuPercent'),
    diskMb: mostOf(limits, 'diskMb'),
  }))
