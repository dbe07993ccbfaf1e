import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { processesOf } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import { HttpCaller } from '../support/http-caller.ts'
import { busyboxTemplate } from '../support/machine.ts'
import { networkMissing } from '../support/network.ts'
import { type Program, program } from '../support/program.ts'
import { type FreshMachine, freshMachine } from './fresh-machine.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const missing = await networkMissing()
const START_MS = 120_000
const account = { email: 'first@lodge.test', password: 'a long and quiet evening' }

describe.skipIf(missing !== null)('npm run uninstall', () => {
  let machine: FreshMachine
  let lodge: Program
  let admin: HttpCaller
  let starts = 0

  beforeAll(async () => {
    machine = await freshMachine()
  })
  afterAll(async () => {
    await lodge?.stop()
    await machine?.[Symbol.asyncDispose]()
  })

  const environment = () => ({
    LODGE_DATA: machine.dataFolder,
    LODGE_AGENT_MACHINES: 'none',
    NODE_ENV: 'production',
  })

  async function start(): Promise<void> {
    lodge = program({
      network: machine,
      command: ['npm', 'start'],
      cwd: repository,
      environment: environment(),
      logFile: `${machine.dataFolder}.${++starts}.log`,
    })
    lodge.start()
    await until(() => {
      if (!lodge.isRunning) throw new Error(lodge.lastWords())
      return lodge.output().includes('Lodge is ready')
    }, START_MS)
    admin = new HttpCaller(`http://${machine.network.address}:8080`)
  }

  /** Runs a program on the machine and returns its output. */
  async function run(...command: string[]): Promise<{ code: unknown; said: string }> {
    const [file, args] = machine.inside(command)
    const child = spawn(file, args, {
      cwd: repository,
      env: { ...process.env, ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    return { code, said: (await output).join('') }
  }

  const running = async (id: string) =>
    until(async () => {
      const server = await admin.must('GET /api/servers/{id}', { params: { id } })
      if (server.failure) throw new Error(server.failure.detail)
      return server.status === 'running' && server
    }, START_MS)
  const tables = async () => (await run('nft', 'list tables')).said

  test('removes what it lists, touches nothing else, and keeps the data for the next start', {
    timeout: 600_000,
  }, async () => {
    await run('nft', 'add table inet theirs')
    await start()
    const { id: ownerId } = await admin.must('POST /api/auth/bootstrap', { body: account })
    // Without a mirror no image can be built here.
    await importBusybox(path.join(machine.dataFolder, 'docker/docker.sock'))
    const document = busyboxTemplate('echo ready; echo more >>/data/kept; sleep 9999')
    const { template } = await admin.must('POST /api/templates/import', {
      body: { document: { ...document } },
    })
    await until(async () => (await admin.must('GET /api/nodes')).items[0]?.state === 'online')
    const { serverId } = await admin.must('POST /api/servers', {
      body: { name: 'Still here', ownerId, templateId: template.id, start: true },
    })
    await running(serverId)
    expect(await tables()).toContain('lodge')

    const uninstall = await run('npm', 'run', 'uninstall')
    expect(uninstall.said).toMatch(/To be removed, in this order:\n {2}npm start \(process \d+\)/)
    expect(uninstall.said).toContain('Nobody can be asked here')
    expect(uninstall.said).toContain('Nothing was removed.')
    await running(serverId)

    const { code, said } = await run('npm', 'run', 'uninstall', '--', '--yes')
    expect(code, said).toBe(0)
    expect(said).toMatch(/Removed: container lodge-\S+/)
    expect(said).toMatch(/Removed: Docker network lodge-\S+/)
    expect(said).toMatch(/Removed: firewall table inet lodge\S+/)
    expect(said).toMatch(/Removed: mounted disk \S+/)
    expect(processesOf(machine.dataFolder)).toEqual([])
    // Only the engine's own tables remain besides.
    expect(await tables()).toContain('table inet theirs\n')
    expect(await tables()).not.toContain('lodge')
    expect((await run('ip', '-brief', 'link')).said).not.toMatch(/^lodge/m)
    expect((await run('cat', '/proc/mounts')).said).not.toContain(`${machine.dataFolder}/agent`)

    await start()
    await admin.must('POST /api/auth/login', { body: account })
    // Its last known state, until the agent is back.
    const kept = path.join(machine.dataFolder, 'agent/servers/servers', serverId, 'data/kept')
    await until(async () => (await run('cat', kept)).said === 'more\nmore\n', START_MS)
    await running(serverId)
  })

  test('deletes the data as well when asked to', async () => {
    await writeFile(`${machine.dataFolder}.theirs`, 'theirs')
    const { code, said } = await run('npm', 'run', 'uninstall', '--', '--data', '--yes')
    expect(code, said).toBe(0)
    expect(said).toContain(`Removed: folder ${machine.dataFolder}`)
    expect(existsSync(machine.dataFolder)).toBe(false)
    expect(existsSync(`${machine.dataFolder}.theirs`)).toBe(true)
    expect(processesOf(machine.dataFolder)).toEqual([])
    expect((await run('npm', 'run', 'uninstall', '--', '--yes')).said).toContain(
      'There is nothing of Lodge to remove',
    )
  })
})
