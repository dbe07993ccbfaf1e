import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endOrphans } from './orphans.ts'

/**
 * A cgroup hierarchy in which groups can be created: version 2, or the pids controller of version
 * 1.
 */
const HIERARCHY = [
  '/sys/fs/cgroup/cgroup.procs',
  '/sys/fs/cgroup/pids/cgroup.procs',
  '/sys/fs/cgroup/cpu/cgroup.procs',
]
  .find((file) => existsSync(file))
  ?.replace(/\/cgroup\.procs$/, '')
const possible = process.getuid?.() === 0 && HIERARCHY !== undefined

describe.skipIf(!possible)('processes of a container that the engine lost track of', () => {
  const id = `${'5eed'.repeat(15)}${process.pid.toString(16).padStart(4, '0')}`
  const secondId = id.replace(/^5eed/, 'dead')
  const otherId = id.replace(/^5eed/, 'feed')

  async function inContainer(containerId: string) {
    const group = join(HIERARCHY ?? '', `lodge-strays-${containerId}`)
    await mkdir(group)
    const child = spawn('sleep', ['600'], { stdio: 'ignore' })
    await once(child, 'spawn')
    await writeFile(join(group, 'cgroup.procs'), String(child.pid))
    return { child, ended: once(child, 'exit'), group }
  }

  it('are killed, and those of other containers are not', async () => {
    const [first, second, other] = await Promise.all([
      inContainer(id),
      inContainer(secondId),
      inContainer(otherId),
    ])
    try {
      expect(await endOrphans([id, secondId])).toBe(2)
      expect((await first.ended)[1]).toBe('SIGKILL')
      expect((await second.ended)[1]).toBe('SIGKILL')
      expect(other.child.exitCode ?? other.child.signalCode).toBeNull()
      expect(await endOrphans([id])).toBe(0)
      expect(await endOrphans([])).toBe(0)
    } finally {
      other.child.kill('SIGKILL')
      await other.ended
      for (const { group } of [first, second, other]) await rmdir(group)
    }
  })
})
