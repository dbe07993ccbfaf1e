import { exists } from '@lodge/shared/local/files.ts'
import { domainName, machinePaths } from '../data/layout.ts'
import { imagesFor } from '../disks/ceph-key.ts'
import { diskCacheFor } from '../disks/disk-cache.ts'
import type { Parts } from '../parts.ts'
import { LibvirtError } from '../port/fault.ts'
import { domainDocument } from './document.ts'
import type { MachineRecord } from './record.ts'

/**
 * Defines a stopped machine or replaces its definition, keeping firmware variables and TPM state.
 * It never undefines the machine first, because libvirt would delete the TPM state.
 */
export async function define(parts: Parts, record: MachineRecord): Promise<void> {
  const { acceleration, domains, media, port, settings } = parts
  const { serverId, spec } = record
  const paths = machinePaths(settings.dataRoot, serverId)
  const { works } = await acceleration.kvm(AbortSignal.timeout(60_000))
  const input = {
    name: domainName(settings.scope, serverId),
    record,
    paths,
    diskCache: await diskCacheFor(paths, spec),
    ...(paths.pool && { images: await imagesFor(port, paths, paths.pool, spec) }),
    accelerator: works ? ('kvm' as const) : ('qemu' as const),
    mediumFile: spec.medium ? await media.file(spec.medium.sha256) : null,
    hasSeed: await exists(paths.seed),
  }
  const document = domainDocument({ ...input, cpuLimit: parts.cpuLimits.work })
  const uuid = await port.call('defineDomain', document)
  domains.learn(uuid, serverId)
}

/** Whether a start failed because the kernel lacks CPU cgroups. */
export function isAboutCpuLimits(error: unknown): boolean {
  return error instanceof LibvirtError && /cgroup|CPU tuning|scheduler/i.test(error.message)
}
