import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { unmountBelow } from '../../../drivers/docker/src/testing/dockerd.ts'
import { takeHostNetwork } from '../../../drivers/docker/src/testing/host-network.ts'
import { openBrowser } from '../../browser/support/browser.ts'
import { freePort, processesOf, until } from '../../support/processes.ts'
import { busyboxTemplate } from '../support/machine.ts'
import { containers, endEngine, enginePid, isEngine } from './engine.ts'
import { firstServer } from './first-server.ts'
import {
  administrator,
  npmStart,
  npmStartRefused,
  type Place,
  placeIn,
  type Started,
} from './lodge.ts'

let dataFolder: string
let place: Place
/** The currently running installation: a start takes long, so tests share it. */
let lodge: Started
let release: () => Promise<void>

beforeAll(async () => {
  release = await takeHostNetwork()
  dataFolder = await mkdtemp('/tmp/lodge-start-')
  await chmod(dataFolder, 0o755)
  place = await placeIn(dataFolder)
})

afterAll(async () => {
  await lodge?.end('SIGTERM')
  await endEngine(dataFolder)
  // The engine's own mounts, and disks of servers that a failed test left behind.
  await unmountBelow(dataFolder)
  await rm(dataFolder, { recursive: true, force: true })
  await release?.()
})

type Admin = Awaited<ReturnType<typeof administrator>>

/** The only node of the installation, once its agent is connected. */
async function localNode(admin: Admin): Promise<{ id: string; name: string }> {
  return until(async () => {
    const { items } = await admin.get('/api/nodes')
    expect(items).toHaveLength(1)
    return items[0].state === 'online' ? items[0] : undefined
  })
}

/** Creates a website and waits until it runs. */
async function runningWebsite(admin: Admin): Promise<{ id: string; port: number; since: string }> {
  const { id: ownerId } = await admin.get('/api/auth/me')
  // The built-in template is tested by the newcomer: here its image would be built from packages once
  // more.
  await importBusybox(path.join(dataFolder, 'docker/docker.sock'))
  const document = busyboxTemplate(
    'echo It works >/data/index.html; echo ready; exec httpd -f -p 8080 -h /data',
    { port: { containerPort: 8080, protocol: 'tcp' } },
  )
  const { template } = await admin.post('/api/templates/import', { document })
  const desired = { name: 'Still here', ownerId, templateId: template.id, start: true }
  const { serverId } = await admin.post('/api/servers', desired)
  return untilRunning(admin, serverId)
}

async function untilRunning(admin: Admin, id: string) {
  return until(async () => {
    const server = await admin.get(`/api/servers/${id}`)
    if (server.failure) throw new Error(server.failure.detail)
    return server.status === 'running' ? server : undefined
  })
}

/** The pid of the installation's only process that runs this program. */
function programPid(program: string): number {
  const found = processesOf(dataFolder).filter(({ command }) => command.endsWith(program))
  expect(found).toHaveLength(1)
  return found[0]?.pid ?? 0
}

const page = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`)).text()

describe.runIf(process.getuid?.() === 0)('npm start', () => {
  beforeAll(async () => {
    lodge = await npmStart(place)
  })

  test('leads from an empty machine to a running game server, in a browser', {
    tags: 'long',
    timeout: 1_200_000,
  }, async () => {
    await using browser = await openBrowser(`http://localhost:${place.port}`)
    await firstServer(browser)
  })

  test('starts everything, leaves the servers running when it ends, and finds it all again', {
    timeout: 900_000,
  }, async () => {
    expect(lodge.output()).toContain(
      `http://localhost:${place.port} (on this machine; everything works)`,
    )
    expect(lodge.output()).toMatch(/For HTTPS: +LODGE_DOMAIN=/)
    expect(lodge.output()).toContain(path.join(dataFolder, 'metrics-token'))
    const admin = await administrator(place.port)
    // A ready node accepts a server immediately.
    const website = await runningWebsite(admin)
    const node = await localNode(admin)
    expect(await page(website.port)).toContain('It works')

    // A dying engine leaves the server running, and restarts by itself.
    const running = await containers(dataFolder)
    const killed = enginePid(dataFolder)
    process.kill(killed, 'SIGKILL')
    await until(() => lodge.output().includes('The Docker engine exited') || undefined)
    const back = await until(() => containers(dataFolder).catch(() => undefined))
    expect(back).toEqual(running)
    expect(running.size).toBe(1)
    expect(enginePid(dataFolder)).not.toBe(killed)
    expect(await until(() => page(website.port).catch(() => undefined))).toContain('It works')

    // npm dies immediately and its shell stays; their child processes must notice.
    await lodge.end('SIGKILL')
    await until(() => processesOf(dataFolder).every(isEngine) || undefined)
    expect(await page(website.port)).toContain('It works')

    // From now on agents connect to another port, also the one on this machine.
    place = { ...place, fleetPort: await freePort() }
    lodge = await npmStart(place)
    const again = await administrator(place.port)
    expect(await localNode(again)).toMatchObject({ id: node.id })
    expect(await untilRunning(again, website.id)).toMatchObject({ since: website.since })
    // It supervises the engine of the earlier start as well.
    process.kill(enginePid(dataFolder), 'SIGKILL')
    await until(() => lodge.output().includes('The Docker engine exited') || undefined)
    expect(await until(() => containers(dataFolder).catch(() => undefined))).toEqual(running)

    for (const { id } of (await again.get('/api/servers')).items)
      await again.remove(`/api/servers/${id}`)
    await until(async () => (await again.get('/api/servers')).items.length === 0 || undefined)
  })

  test('a control plane that dies is restarted, and the agent keeps running meanwhile', async () => {
    const agent = programPid('agent/src/main.ts run')
    const controlPlane = programPid('control-plane/src/main.ts')

    process.kill(controlPlane, 'SIGKILL')
    await until(() => lodge.output().includes('The control plane exited') || undefined)
    const admin = await until(() => administrator(place.port).catch(() => undefined))
    await localNode(admin)
    expect(programPid('control-plane/src/main.ts')).not.toBe(controlPlane)
    expect(programPid('agent/src/main.ts run')).toBe(agent)
  })

  test('a second start on the same data is refused with an explanation, until the first has ended', async () => {
    const second = await npmStartRefused({ ...(await placeIn(dataFolder)) })
    expect(second.code).toBe(1)
    expect(second.said).toContain(`${dataFolder} is in use by another Lodge (process `)
    expect(second.said).toContain('choose another folder with LODGE_DATA.')
    expect(second.said).not.toContain('Lodge is ready')

    const elsewhere = await npmStartRefused({ ...place, dataFolder: path.join(dataFolder, 'e') })
    expect(elsewhere.code).toBe(1)
    expect(elsewhere.said).toContain(`Port ${place.port} is in use by another program.`)

    // Nobody is left to release the folder; the first one's remaining processes must end first.
    await lodge.end('SIGKILL')
    lodge = await npmStart(place)
    await lodge.end('SIGTERM')
    await until(() => processesOf(dataFolder).every(isEngine) || undefined)
  })

  const systemEngine = existsSync('/var/run/docker.sock')
  test.skipIf(systemEngine)('without Docker it reports that, and the panel works', async () => {
    // Docker cannot create its sockets at the end of a path this long.
    const deep = await placeIn(path.join(dataFolder, 'd'.repeat(90)))
    const panel = await npmStart(deep)
    expect(panel.output()).toContain('No Docker engine:')
    const admin = await administrator(deep.port)
    expect(await admin.get('/api/auth/me')).toMatchObject({ email: 'first@lodge.test' })
    await panel.end('SIGTERM')
    await until(() => processesOf(deep.dataFolder).length === 0 || undefined)
  })
})
