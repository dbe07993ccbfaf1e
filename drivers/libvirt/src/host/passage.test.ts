import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { libvirtMissing } from '../testing/node.ts'
import { closedFolder } from './passage.ts'

test.skipIf(await libvirtMissing())(
  'names the parent folder of the disks that the QEMU user cannot enter',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodge-passage-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o711)
    const agent = join(folder, 'agent')
    const machines = join(agent, 'machines')
    await mkdir(machines, { recursive: true, mode: 0o711 })
    expect(await closedFolder(machines)).toBeNull()
    await chmod(agent, 0o700)
    expect(await closedFolder(machines)).toBe(agent)
    await chmod(agent, 0o711)
    await chmod(machines, 0o700)
    expect(await closedFolder(machines)).toBe(machines)
    expect(await closedFolder(join(folder, 'not-made-yet'))).toBeNull()
  },
)
