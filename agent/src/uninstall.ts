import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Remains } from '@lodge/driver/remains.ts'
import type { Config } from './config.ts'
import { permitsOf } from './scope.ts'

/** What drivers have made on this machine; `close` ends what it took to look. */
export interface DriverRemains {
  containers(): Promise<Remains[]>
  machines(): Promise<{ remains: Remains[]; close(): Promise<void> }>
}

/** What this agent has made on its machine beside its data, in the order in which it has to go. */
export async function remainsOf(
  config: Config,
  drivers: DriverRemains,
): Promise<{ remains: Remains[]; close(): Promise<void> }> {
  const containers = await drivers.containers()
  const machines = await drivers.machines()
  const hooks = await hooksOf(config)
  return { ...machines, remains: [...machines.remains, ...hooks, ...containers] }
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
