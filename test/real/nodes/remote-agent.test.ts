import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  libvirtMissing,
  startTestNode,
  type TestNode,
} from '../../../drivers/libvirt/src/testing/node.ts'
import { bundleAgent } from '../../../tools/bundle-agent.mjs'
import type { Caller } from '../../support/caller.ts'
import { freePort } from '../../support/processes.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const run = promisify(execFile)

/** With systemd the pasted command would create a service on this very machine. */
const missing =
  (await libvirtMissing()) ??
  (existsSync('/run/systemd/system') ? 'systemd runs on this machine' : null)
const CHILD = 'drivers/libvirt/src/port/child.js'
const ADDON = `drivers/libvirt/build/koffi/linux_${process.arch}/koffi.node`

test(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})

describe.skipIf(missing !== null)('an agent that was downloaded by the pasted command', () => {
  let folder: string
  let program: string
  let prefix: string
  let state: string
  let lodge: Lodge
  let admin: Caller
  let libvirt: TestNode
  let agent: ChildProcess | undefined
  let params: { id: string }

  beforeAll(async () => {
    folder = await mkdtemp('/tmp/lodge-ra-')
    await chmod(folder, 0o711)
    program = path.join(folder, 'program')
    prefix = path.join(folder, 'prefix')
    state = path.join(folder, 'state')
    await bundleAgent(program)
    const port = String(await freePort())
    lodge = await startLodge({
      environment: {
        LODGE_AGENT_FOLDER: program,
        LODGE_FLEET_PORT: port,
        LODGE_FLEET_ADDRESS: `127.0.0.1:${port}`,
      },
    })
    admin = await lodge.admin()
    libvirt = await startTestNode(path.join(folder, 'lv'))
    params = { id: (await lodge.joinedNode()).id }
  })
  afterAll(async () => {
    await end()
    await libvirt?.stop()
    await lodge?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** Does what a person does on the new machine; returns the whole output. */
  async function paste(): Promise<{ ok: boolean; said: string }> {
    const { command } = await admin.must('POST /api/nodes/{id}/enrollment', { params })
    const env = {
      PATH: process.env.PATH,
      LODGE_SKIP_PACKAGES: '1',
      LODGE_PREFIX: prefix,
      LODGE_AGENT_DATA: state,
    }
    return run('sh', ['-c', command], { env, cwd: folder }).then(
      ({ stdout, stderr }) => ({ ok: true, said: stdout + stderr }),
      ({ stdout, stderr }) => ({ ok: false, said: stdout + stderr }),
    )
  }

  /** Starts the installed agent with its own runtime, far from any sources and packages. */
  function start(): void {
    agent = spawn(path.join(prefix, 'bin/node'), [path.join(prefix, 'agent/src/main.js'), 'run'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        LODGE_AGENT_DATA: state,
        LODGE_AGENT_DRIVER: 'fake',
        LODGE_AGENT_MACHINES: 'libvirt',
        LODGE_AGENT_LIBVIRT_URI: libvirt.uri,
        LODGE_AGENT_LIBVIRT_NETWORK_NAMESPACE: libvirt.networkNamespace,
        LODGE_AGENT_LIBVIRT_TPM_FOLDER: libvirt.tpmFolder,
        LODGE_AGENT_LIBVIRT_HOOKS_FOLDER: path.join(libvirt.folder, 'etc/hooks'),
        LODGE_AGENT_PERMIT_FOLDER: path.join(folder, 'permits'),
        LODGE_AGENT_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }

  async function end(): Promise<void> {
    const running = agent
    agent = undefined
    if (!running || running.exitCode !== null) return
    const gone = once(running, 'exit')
    running.kill('SIGTERM')
    await gone
  }

  /** Waits until the agent is connected and reports this about libvirt. */
  async function reports(check: { state: string; summary: RegExp }) {
    return until(async () => {
      const node = await admin.must('GET /api/nodes/{id}', { params })
      const found = node.virtualization.found
      const own = found?.checks.find(({ id }) => id === 'libvirt')
      const isWanted = own?.state === check.state && check.summary.test(own.summary)
      return node.state === 'online' && isWanted && { ...own, version: found?.libvirtVersion }
    })
  }

  test('is refused entirely when one of its files does not match the listed one', async () => {
    const file = path.join(program, CHILD)
    const before = await readFile(file)
    await appendFile(file, '\n// something else')
    const { ok, said } = await paste()
    await writeFile(file, before)
    expect(ok).toBe(false)
    expect(said).toContain(CHILD)
    expect(said).toContain('changed while it was downloaded: run this again')
    expect(existsSync(prefix)).toBe(false)
    expect(await readdir(`${prefix}.versions`)).toEqual([])
    expect(existsSync(path.join(state, 'node.json'))).toBe(false)
  })

  test('works with libvirt', async () => {
    const { ok, said } = await paste()
    expect(ok, said).toBe(true)
    start()
    const { version } = await reports({ state: 'ok', summary: /./ })
    const { output } = await libvirt.run('libvirtd', ['--version'])
    expect(output).toContain(version)
  })

  test('reports what is missing and how to fix it, stays online, and is fixed by the same command', async () => {
    await end()
    await rm(path.join(prefix, ADDON))
    start()
    const { remedy } = await reports({ state: 'failed', summary: /part for virtual machines/ })
    expect(remedy).toContain('join line')
    await end()
    await rm(path.join(prefix, CHILD))
    start()
    await reports({ state: 'failed', summary: /Cannot find module .*child\.js/ })

    await end()
    const { ok, said } = await paste()
    expect(ok, said).toBe(true)
    // The previous version is still stored beside it.
    expect(await readdir(`${prefix}.versions`)).toHaveLength(2)
    start()
    await reports({ state: 'ok', summary: /./ })
  })
})
