import { initialVm, type VmValues } from '../vm/vm-values.ts'
import { mostOf, type Options, type Part } from './quota.ts'

/** What a new machine counts against the limits: a processor is 100 %, and all disks count. */
export const machineSizes = (
  values: Pick<VmValues, 'vcpus' | 'memoryMb' | 'diskMb' | 'extraDisksMb'>,
): Record<Part, number> => ({
  memoryMb: values.memoryMb ?? 0,
  cpuPercent: (values.vcpus ?? 0) * 100,
  diskMb: [values.diskMb, ...values.extraDisksMb].reduce<number>((sum, mb) => sum + (mb ?? 0), 0),
})

/** Initial values: usual sizes, smaller when the limits leave less, never below the hardware's minimum. */
export function firstOwnMachine({ machines, limits }: Options): VmValues {
  const usual = initialVm(machines, '')
  const least = machines.profiles.find(({ id }) => id === usual.profileId)?.hardware.minimum
  const fit = (part: Part, amount: number | undefined, smallest = 1): number =>
    Math.max(
      smallest,
      Math.min(amount ?? smallest, mostOf(limits, part) ?? Number.MAX_SAFE_INTEGER),
    )
  return {
    ...usual,
    vcpus: Math.floor(fit('cpuPercent', (usual.vcpus ?? 1) * 100, (least?.vcpus ?? 1) * 100) / 100),
    memoryMb: fit('memoryMb', usual.memoryMb, least?.memoryMb),
    diskMb: fit('diskMb', usual.diskMb, least?.diskMb),
  }
}
