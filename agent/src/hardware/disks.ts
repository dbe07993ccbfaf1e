import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HardwareReport } from '@lodge/shared/hardware.ts'

const SECTOR_BYTES = 512
const MOST = 64

/**
 * The disks of the machine, in the order of their names. Volumes, RAM disks and loop devices lie on
 * others and are left out, and so are empty drives.
 */
export async function readDisks(sys = '/sys'): Promise<HardwareReport['disks']> {
  const names = await readdir(join(sys, 'block')).catch((): string[] => [])
  const found = await Promise.all(names.toSorted().map((name) => readDisk(sys, name)))
  return found.filter((disk) => disk !== undefined).slice(0, MOST)
}

async function readDisk(sys: string, name: string) {
  const folder = join(sys, 'block', name)
  const read = async (file: string) => (await textOf(join(folder, file))).trim()
  // Only a disk has a device below it.
  if (!(await readdir(join(folder, 'device')).catch(() => undefined))) return undefined
  const sizeBytes = Number(await read('size')) * SECTOR_BYTES
  if (!(sizeBytes > 0) || (await read('removable')) === '1') return undefined
  const [vendor, model, rotational] = await Promise.all([
    read('device/vendor'),
    read('device/model'),
    read('queue/rotational'),
  ])
  // Virtual disks and some controllers have a number instead of a vendor.
  const maker = /^0x/.test(vendor) ? '' : vendor
  return {
    name: name.slice(0, 64),
    model: `${maker} ${model}`.trim().slice(0, 128),
    sizeBytes,
    kind: rotational === '1' ? ('hdd' as const) : ('ssd' as const),
  }
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')
