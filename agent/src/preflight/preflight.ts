import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import type { AnyDriver } from '../drivers.ts'
import { checkBackups } from './backups.ts'
import { checkCgroups } from './cgroups.ts'
import { checkClock } from './clock.ts'
import { checkDisk } from './disk.ts'
import { checkFileService } from './file-service.ts'
import { checkImages } from './images.ts'
import { checkKvm } from './kvm.ts'
import { checkLibvirt } from './libvirt.ts'
import { checkPorts, type Ports } from './ports.ts'
import { checkRegistries } from './registries.ts'

export interface PreflightOptions {
  readonly drivers: readonly AnyDriver[]
  readonly dataFolder: string
  readonly ports: readonly Ports[]
}

/** Checks everything a node needs; each result says whether it is fit and what to do if not. */
export async function runPreflight(options: PreflightOptions): Promise<PreflightCheck[]> {
  const [registries, ...checks] = await Promise.all([
    mirrorsOf(options.drivers).then(checkRegistries),
    checkContainers(options.drivers),
    checkCgroups(),
    checkDisk(options.dataFolder),
    ...(options.drivers.some(({ files }) => files) ? [checkFileService()] : []),
    ...(options.drivers.some(backsUp) ? [checkBackups()] : []),
    checkPorts(options.ports),
    checkImages(options.drivers),
    checkClock(),
    ...(hasMachines(options.drivers) ? [] : [checkLibvirt(), checkKvm()]),
  ])
  return [...checks, ...registries]
}

/** None while the engine does not answer, which its own check reports. */
async function mirrorsOf(drivers: readonly AnyDriver[]): Promise<readonly string[]> {
  const images = drivers.find((driver) => driver.images)?.images
  return (await images?.mirrors(AbortSignal.timeout(5_000)).catch(() => [])) ?? []
}

/** Made-up servers have made-up backups. */
const backsUp = ({ backups, kind }: AnyDriver) => backups !== undefined && kind !== 'fake'

/** A libvirt driver checks itself. */
const hasMachines = (drivers: readonly AnyDriver[]) =>
  drivers.some(({ kind, virtualization }) => kind === 'libvirt' && virtualization)

async function checkContainers(drivers: readonly AnyDriver[]): Promise<PreflightCheck> {
  const driver = drivers.find(({ runs }) => runs.includes('container'))
  if (!driver) {
    const summary = 'This node runs no containers'
    return { id: 'docker', state: 'warning', summary, remedy: null }
  }
  const health = await driver.probe(AbortSignal.timeout(5_000))
  if (health.ok) {
    const name = driver.kind === 'fake' ? 'The made-up engine' : 'Docker'
    return { id: 'docker', state: 'ok', summary: `${name} ${health.version} answers`, remedy: null }
  }
  return {
    id: 'docker',
    state: 'failed',
    summary: `Docker does not answer: ${health.why}`,
    remedy: 'Install Docker and start it (apt-get install docker.io), then look again',
  }
}
