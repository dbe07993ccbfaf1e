import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleAgent } from '../../../tools/bundle-agent.mjs'
import type { Caller } from '../../support/caller.ts'
import { freePort } from '../../support/processes.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const run = promisify(execFile)

/** With systemd the pasted command would create a service on this very machine. */
const missing = existsSync('/run/systemd/system') ? 'systemd runs on this machine' : null
const MAIN = 'agent/src/main.js'

describe.skipIf(missing !== null)('an agent that updates itself', () => {
  let folder: string
  let program: string
  let prefix: string
  let lodge: Lodge
  let admin: Caller
  let params: { id: string }
  let agent: ChildProcess | undefined
  let supervised = true
  let starts = 0

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-update-'))
    program = path.join(folder, 'program')
    prefix = path.join(folder, 'prefix')
    await bundleAgent(program)
    await cp(path.join(program, MAIN), path.join(folder, 'first.js'))
    const port = String(await freePort())
    lodge = await startLodge({
      environment: {
        LODGE_AGENT_FOLDER: program,
        LODGE_FLEET_PORT: port,
        LODGE_FLEET_ADDRESS: `127.0.0.1:${port}`,
      },
    })
    admin = await lodge.admin()
    params = { id: (await lodge.joinedNode()).id }
    const { command } = await admin.must('POST /api/nodes/{id}/enrollment', { params })
    await run('sh', ['-c', command], {
      env: { ...environment(), LODGE_SKIP_PACKAGES: '1', LODGE_PREFIX: prefix },
      cwd: folder,
    })
    start()
    await until(async () => (await node()).state === 'online')
  })

  afterAll(async () => {
    supervised = false
    agent?.kill('SIGKILL')
    await lodge?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const environment = () => ({
    PATH: process.env.PATH,
    LODGE_AGENT_DATA: path.join(folder, 'state'),
    LODGE_AGENT_DRIVER: 'fake',
    LODGE_AGENT_MACHINES: 'none',
    LODGE_AGENT_LOG_LEVEL: 'fatal',
  })

  /** Starts what the path leads to, and again whenever it ends, as systemd does. */
  function start(): void {
    starts += 1
    agent = spawn(path.join(prefix, 'bin/node'), [path.join(prefix, MAIN), 'run'], {
      cwd: folder,
      env: environment(),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    agent.once('exit', () => supervised && setTimeout(start, 200))
  }

  const node = () => admin.must('GET /api/nodes/{id}', { params })
  const versions = () => readdir(`${prefix}.versions`)
  const ended = (jobId: string) =>
    until(async () => {
      const job = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return job.state !== 'waiting' && job.state !== 'running' && job
    })

  /** Makes the control plane serve an agent with this code at its beginning. */
  async function release(code: string): Promise<void> {
    const main = path.join(program, MAIN)
    await cp(path.join(folder, 'first.js'), main)
    await writeFile(main, `${code}\n${await readFile(main, 'utf8')}`)
    const list = path.join(program, `agent/files-linux-${process.arch}`)
    const digest = createHash('sha256')
      .update(await readFile(main))
      .digest('hex')
    const lines = (await readFile(list, 'utf8')).split('\n')
    await writeFile(
      list,
      lines.map((line) => (line.endsWith(`  ${MAIN}`) ? `${digest}  ${MAIN}` : line)).join('\n'),
    )
    await until(async () => (await node()).agentOutdated)
  }

  const update = async () =>
    (await admin.must('POST /api/nodes/{id}/agent-update', { params })).jobId
  const current = () => readFile(path.join(prefix, MAIN), 'utf8')

  test('continues as the new version in the same process and keeps the former one', async () => {
    const { status: refused, body } = await admin.call('POST /api/nodes/{id}/agent-update', {
      params,
    })
    expect([refused, body]).toMatchObject([409, { code: 'agents_current' }])
    await release('// second')
    const before = await readlink(prefix)
    const job = await ended(await update())
    expect(job).toMatchObject({ state: 'done' })
    expect(await current()).toMatch(/^\/\/ second/)
    expect((await versions()).toSorted()).toEqual(
      [path.basename(before), path.basename(await readlink(prefix))].toSorted(),
    )
    await until(async () => !(await node()).agentOutdated)
    expect(starts).toBe(1)
  })

  test('keeps its version when the new one exits, and reports that', async () => {
    await release(`if (process.argv[2] === 'run') process.exit(7)`)
    const before = await readlink(prefix)
    const { jobId } = await admin.must('POST /api/nodes/agent-update', { body: {} })
    const job = await ended(jobId)
    expect(job.state).toBe('failed')
    expect(job.failure?.detail).toContain('the former one runs again: it ended (7)')
    expect(await readlink(prefix)).toBe(before)
    expect((await node()).agentOutdated).toBe(true)
  })

  test('finishes an update even if it is killed while it downloads, tests and switches', async () => {
    await release('// fourth')
    const jobId = await update()
    const isTried = async () => {
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(agent?.pid)]).catch(
        () => ({
          stdout: '',
        }),
      )
      return stdout.trim() !== ''
    }
    const points = [
      async () => (await versions()).some((name) => name.endsWith('.part')),
      isTried,
      async () => (await current()).startsWith('// fourth'),
    ]
    for (const reached of points) {
      await until(reached, 60_000, 5)
      const began = starts
      agent?.kill('SIGKILL')
      await until(() => starts > began)
    }
    expect(await ended(jobId)).toMatchObject({ state: 'done' })
    expect(await current()).toMatch(/^\/\/ fourth/)
    expect((await versions()).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('runs nothing that its own authority has not signed', async () => {
    await release('// fifth')
    const before = await current()
    const { fleet } = lodge.controlPlane.services
    const sign = fleet.sign
    Object.assign(fleet, { sign: (text: string) => sign(`${text} `) })
    const job = await ended(await update())
    Object.assign(fleet, { sign })
    expect(job.failure?.detail).toContain('is not signed by the control plane')
    expect(await current()).toBe(before)
  })
})
