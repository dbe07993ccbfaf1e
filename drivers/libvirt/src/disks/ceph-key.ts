import { hash } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { RbdPool } from '@lodge/driver/storage/rbd.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { MachinePaths } from '../data/layout.ts'
import type { LibvirtPort } from '../port/port.ts'
import { element, write } from '../xml/element.ts'
import { imageOf } from './image-disks.ts'

/** How QEMU opens an image. */
export interface ImageSource extends RbdPool {
  readonly image: string
  /** The secret of libvirt with the user's key. */
  readonly secretUuid: string
}

/**
 * The images of a machine, by disk. libvirt has the key before each boot, and gives it to QEMU, whose user
 * can read no keyring. It forgets it when it ends.
 */
export async function imagesFor(
  port: LibvirtPort,
  paths: MachinePaths,
  pool: RbdPool,
  { disks }: MachineSpec,
): Promise<ReadonlyMap<string, ImageSource>> {
  const secretUuid = await keyInLibvirt(port, pool)
  const all = disks.map(async ({ id }) => {
    const image = await imageOf(paths.disk(id))
    return [id, { ...pool, image, secretUuid }] as const
  })
  return new Map(await Promise.all(all))
}

async function keyInLibvirt(port: LibvirtPort, pool: RbdPool): Promise<string> {
  const { user, configFile } = pool
  const key = await keyOf(pool)
  // The same for the same user of the same cluster, or each boot would leave one.
  const digits = hash('sha256', `lodge ${configFile} ${user}`)
  const uuid = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`]
    .concat(`8${digits.slice(17, 20)}`, digits.slice(20, 32))
    .join('-')
  const secret = element(
    'secret',
    { ephemeral: 'yes', private: 'yes' },
    element('uuid', {}, uuid),
    element('usage', { type: 'ceph' }, element('name', {}, `lodge client.${user} ${configFile}`)),
  )
  await port.call('setSecret', write(secret), key)
  return uuid
}

/** In base 64, as it is in a keyring. Ceph's own programs know where that is. */
async function keyOf({ user, configFile }: RbdPool): Promise<string> {
  const name = `client.${user}`
  const ask = ['--conf', configFile, '--name', name, '--show-config-value', 'keyring']
  const { code, output } = await runProgram('ceph-conf', ask)
  const files = code === 0 ? output.trim().split(/[,\s]+/) : []
  for (const file of files) {
    if (!(await exists(file))) continue
    const found = await runProgram('ceph-authtool', ['--print-key', '--name', name, file])
    if (found.code === 0) return found.output.trim()
  }
  throw new DriverError(
    'unsupported',
    `This node has no key of ${name}: put its keyring where ${configFile} says, or into /etc/ceph.`,
  )
}
