import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Remains } from '@lodge/driver/remains.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { Config } from './config.ts'
import { endGuard, guardPid } from './guard/launch.ts'
import { guardOf, permitsOf } from './scope.ts'

/** What drivers have created on this machine; `close` releases what listing it needed. */
export interface DriverRemains {
  containers(): Promise<Remains[]>
  machines(): Promise<{ remains: Remains[]; close(): Promise<void> }>
}

/** Everything this agent has created on its machine besides its data, in the order of removal. */
export async function remainsOf(
  config: Config,
  drivers: DriverRemains,
): Promise<{ remains: Remains[]; close(): Promise<void> }> {
  const containers = await drivers.containers()
  const machines = await drivers.machines()
  const hooks = await hooksOf(config)
  const guard = await guardIn(config)
  return { ...machines, remains: [...guard, ...machines.remains, ...hooks, ...containers] }
}

/** The guard outlives the agent, and would end servers that a stopped agent holds no lease for. */
async function guardIn(config: Config): Promise<Remains[]> {
  const places = guardOf(config, undefined)
  const { folder } = places
  if (!(await exists(folder))) return []
  const pid = await guardPid(folder)
  const remove = async () => {
    await endGuard(places)
    await rm(folder, { recursive: true, force: true })
  }
  return [{ what: `guard of leases in ${folder}${pid ? ` (process ${pid})` : ''}`, remove }]
}

/** The hooks that read permits from this agent's folder. */
async function hooksOf(config: Config): Promise<Remains[]> {
  const folder = join(config.libvirtHooksFolder, 'qemu.d')
  // Earlier versions knew one scope and had no folder for each.
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

/** Removes everything, reporting line by line. Returns false when something is left. */
export async function uninstall(
  config: Config,
  drivers: DriverRemains,
  say: (line: string) => void,
): Promise<boolean> {
  const { remains, close } = await remainsOf(config, drivers)
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
