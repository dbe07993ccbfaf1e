import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Remains } from '@lodge/driver/remains.ts'
import type { Config } from './config.ts'
import { permitsOf } from './scope.ts'

/** What this agent has made on its machine beside its data, in the order in which it has to go. */
export async function remainsOf(
  config: Config,
): Promise<{ remains: Remains[]; close(): Promise<void> }> {
  const { dockerRemains } = await import('@lodge/driver-docker/remains.ts')
  const containers = await dockerRemains({
    socketPath: config.dockerSocket,
    dataRoot: join(config.data, 'servers'),
    labelScope: config.labelScope,
    networkPrefix: config.networkPrefix,
    subnetPool: config.subnetPool,
  })
  const machines = await ofLibvirt(config)
  const hooks = await hooksOf(config)
  return { ...machines, remains: [...machines.remains, ...hooks, ...containers] }
}

async function ofLibvirt(config: Config) {
  const nothing = { remains: [], close: async () => {} }
  if (config.machines === 'none') return nothing
  const { libvirtRemains } = await import('@lodge/driver-libvirt/remains.ts')
  return await libvirtRemains({
    uri: config.libvirtUri,
    dataRoot: join(config.data, 'machines'),
    mediaFolder: join(config.data, 'media'),
    scope: config.labelScope,
    ...(config.libvirtNetworkNamespace === ''
      ? {}
      : { networkNamespace: config.libvirtNetworkNamespace }),
  }).catch(() => nothing)
}

/** The hooks that look for permits where this agent leaves them. */
async function hooksOf(config: Config): Promise<Remains[]> {
  const folder = join(config.libvirtHooksFolder, 'qemu.d')
  // Earlier versions, which knew one scope, had no folder for each.
  const permits = [
    permitsOf(config),
    ...(config.labelScope === 'default' ? [config.permitFolder] : []),
  ]
  const found: Remains[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name)
    const text = await readFile(file, 'utf8').catch(() => '')
    const isOurs = permits.some((place) => text.includes(`'${place}'`))
    if (!text.includes('Written by the Lodge agent') || !isOurs) continue
    found.push({ what: `hook ${file}`, remove: () => rm(file, { force: true }) })
  }
  return found
}

/** Removes everything and says so, line by line. Answers false when something is left. */
export async function uninstall(config: Config, say: (line: string) => void): Promise<boolean> {
  const { remains, close } = await remainsOf(config)
  let isAllGone = true
  for (const { what, remove } of remains) {
    try {
      await remove()
      say(`Removed: ${what}`)
    } catch (error) {
      isAllGone = false
      say(`Not removed: ${what} (${error instanceof Error ? error.message : String(error)})`)
    }
  }
  await close()
  return isAllGone
}
