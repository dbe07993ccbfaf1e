import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { mediumElement, targetOf } from './domain/devices.ts'
import type { Domain } from './domain/domains.ts'
import type { Parts } from './parts.ts'
import { write } from './xml/element.ts'

/**
 * Applies what can change while the guest runs: the medium, disk limits, the CPU share and
 * forwarded ports. Returns the spec now in effect; the rest waits for a restart.
 */
export async function changeLive(
  { cpuLimits, media, port }: Parts,
  { record, uuid }: Domain,
  wanted: MachineSpec,
): Promise<MachineSpec> {
  const now = record.spec
  if (now.medium?.sha256 !== wanted.medium?.sha256) {
    const file = wanted.medium ? await media.file(wanted.medium.sha256) : null
    await port.call('changeMedia', uuid, write(mediumElement(file)))
  }
  const disks = []
  for (const [index, disk] of now.disks.entries()) {
    const limits = wanted.disks.find(({ id }) => id === disk.id)?.limits ?? disk.limits
    if (JSON.stringify(limits) !== JSON.stringify(disk.limits))
      await port.call('limitDisk', uuid, targetOf(now.profile.diskBus, index), {
        read_iops_sec: limits.readIops,
        write_iops_sec: limits.writeIops,
        read_bytes_sec: limits.readBytesPerSecond,
        write_bytes_sec: limits.writeBytesPerSecond,
      })
    disks.push({ ...disk, limits })
  }
  if (now.cpuPercent !== wanted.cpuPercent && cpuLimits.work)
    await port.call('limitCpu', uuid, {
      global_quota: wanted.cpuPercent >= now.vcpus * 100 ? -1 : wanted.cpuPercent * 1000,
    })
  const { medium, natRules, cpuPercent, stop, proofOfLife, ownerId } = wanted
  return { ...now, disks, medium, natRules, cpuPercent, stop, proofOfLife, ownerId }
}
