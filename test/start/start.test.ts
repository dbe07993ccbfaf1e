import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administrator, npmStart, placeIn } from './lodge.ts'
import { processesOf, until } from './processes.ts'

const isDocker = ({ command }: { command: string }) =>
  /dockerd|containerd|docker-proxy/.test(command)
let dataFolder: string

beforeAll(async () => {
  dataFolder = await mkdtemp('/tmp/lodge-start-')
  await chmod(dataFolder, 0o755)
})

afterAll(async () => {
  const left = processesOf(dataFolder)
  for (const { pid } of left) endIfThere(pid)
  await until(() => processesOf(dataFolder).length === 0 || undefined)
  await rm(dataFolder, { recursive: true, force: true })
})

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It ended by itself, with its parent.
  }
}

/** The one node of the installation, once its agent is connected. */
async function localNode(port: number): Promise<{ id: string; name: string }> {
  const admin = await administrator(port)
  return until(async () => {
    const { items } = await admin.get('/api/nodes')
    expect(items).toHaveLength(1)
    return items[0].state === 'online' ? items[0] : undefined
  })
}

describe.runIf(process.getuid?.() === 0)('npm start', () => {
  test('brings up everything, keeps Docker when it ends, and finds it all again', {
    timeout: 300_000,
  }, async () => {
    const place = await placeIn(dataFolder)
    const first = await npmStart(place)
    expect(first.output()).toContain(`http://localhost:${place.port}`)
    const node = await localNode(place.port)

    // npm and its shell die at once; what they started has to notice.
    await first.end('SIGKILL')
    await until(() => processesOf(dataFolder).every(isDocker) || undefined)
    const pidFile = path.join(dataFolder, 'docker/dockerd.pid')
    const engine = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : undefined

    const second = await npmStart(place)
    expect(await localNode(place.port)).toMatchObject({ id: node.id })
    if (engine) expect(Number(readFileSync(pidFile, 'utf8'))).toBe(engine)
    await second.end('SIGTERM')
    await until(() => processesOf(dataFolder).every(isDocker) || undefined)
  })

  const systemEngine = existsSync('/var/run/docker.sock')
  test.skipIf(systemEngine)(
    'without Docker it says so, and the panel works',
    { timeout: 120_000 },
    async () => {
      // Docker cannot make its sockets at the end of a path this long.
      const place = await placeIn(path.join(dataFolder, 'd'.repeat(90)))
      const lodge = await npmStart(place)
      expect(lodge.output()).toContain('No Docker engine:')
      const admin = await administrator(place.port)
      expect(await admin.get('/api/auth/me')).toMatchObject({ email: 'first@lodge.test' })
      await lodge.end('SIGTERM')
      await until(() => processesOf(place.dataFolder).length === 0 || undefined)
    },
  )
})
