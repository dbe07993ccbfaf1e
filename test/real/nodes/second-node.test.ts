import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleAgent } from '../../../tools/bundle-agent.mjs'
import { containersOf } from '../support/containers.ts'
import type { Engine } from '../support/engine.ts'
import { startSecondEngine } from '../support/joined-node.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import type { Network } from '../support/network.ts'
import { type Program, program } from '../support/program.ts'
import { allAre, makeServers } from '../support/servers.ts'

const run = promisify(execFile)

/** With systemd the pasted command would create a service on this very machine. */
const missing = (await machineMissing()) ?? (existsSync('/run/systemd/system') ? 'systemd' : null)

describe.skipIf(missing)('a second machine', () => {
  let folder: string
  let machine: Machine
  let network: Network
  let engine: Engine
  let agent: Program | undefined
  let prefix: string
  let state: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-bundle-'))
    await bundleAgent(folder)
    machine = await startMachine({ environment: { LODGE_AGENT_FOLDER: folder } })
    prefix = path.join(machine.folder, 'prefix')
    state = path.join(machine.folder, 'second')
    ;({ network, engine } = await startSecondEngine(machine))
  })

  afterAll(async () => {
    await agent?.stop()
    await engine?.remove()
    await machine?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  /** Does what a person does on the new machine: pastes one command into a shell. */
  async function paste(line: string): Promise<{ ok: boolean; said: string }> {
    const [file, args] = network.inside(['sh', '-c', line])
    // It cannot reach a mirror, but has everything an agent needs.
    const env = { ...process.env, LODGE_PREFIX: prefix, LODGE_AGENT_DATA: state }
    return run(file, args, { env }).then(
      ({ stdout, stderr }) => ({ ok: true, said: stdout + stderr }),
      ({ stdout, stderr }) => ({ ok: false, said: stdout + stderr }),
    )
  }

  test('becomes a node by one pasted command, unless something was tampered with', async () => {
    const { admin } = machine
    const node = await admin.must('POST /api/nodes', {
      body: {
        name: 'second',
        location: 'there',
        memoryMb: 512,
        cpuPercent: 100,
        diskMb: 1024,
        portRanges: [{ from: 26_000, to: 26_010 }],
      },
    })
    const params = { id: node.id }
    const { command, token } = await admin.must('POST /api/nodes/{id}/enrollment', { params })
    expect(command.split('\n')).toHaveLength(1)

    // A man in the middle has another key: nothing is downloaded, nothing is run.
    const pin = /sha256\/\/[A-Za-z0-9+/=]+/.exec(command)?.[0] ?? ''
    const otherPin = `sha256//${Buffer.alloc(32, 7).toString('base64')}`
    const pinned = await paste(command.replaceAll(pin, otherPin))
    expect(pinned.said).toMatch(/pinned|does not match/i)
    expect(existsSync(prefix)).toBe(false)

    // A token that names another authority: the agent sends nothing.
    const otherToken = changed(token, { f: 'ab'.repeat(32) })
    const fooled = await paste(command.replace(token, otherToken))
    expect(fooled, fooled.said).toMatchObject({ ok: false })
    expect(fooled.said).toContain('does not have the certificate that the token names')
    expect(existsSync(path.join(state, 'node.json'))).toBe(false)
    expect(await admin.must('GET /api/nodes/{id}', { params })).toMatchObject({
      state: 'enrolling',
    })

    // The unmodified command.
    const joined = await paste(command)
    expect(joined, joined.said).toMatchObject({ ok: true })
    const start = /Start the agent with: LODGE_AGENT_DATA=(\S+) (.+)$/m.exec(joined.said)
    expect(start?.[1]).toBe(state)

    // Works only once.
    const again = await paste(command)
    expect(again).toMatchObject({ ok: false })
    expect(again.said).toContain('was used or has expired')

    agent = program({
      network,
      command: start?.[2]?.split(' ') ?? [],
      environment: {
        LODGE_AGENT_DATA: start?.[1] ?? '',
        LODGE_AGENT_DOCKER_SOCKET: engine.socketPath,
        LODGE_AGENT_MACHINES: 'none',
      },
      logFile: path.join(machine.folder, 'second.log'),
    })
    agent.start()
    await machine.until(
      'the second node is online',
      async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'online',
    )
    const there = { ...machine, nodeId: node.id }
    const { ids } = await makeServers(
      there,
      busyboxTemplate('echo ready; while :; do sleep 1; done'),
      1,
    )
    await allAre(machine, ids, 'running', 90_000)
    expect([...(await containersOf(engine.socketPath)).keys()]).toEqual(ids)
    expect((await machine.containers()).size).toBe(0)

    // It updates itself to a newer agent, and its servers are unaffected.
    const main = path.join(folder, 'agent/src/main.js')
    const list = path.join(folder, `agent/files-linux-${process.arch}`)
    const before = await readFile(main, 'utf8')
    await writeFile(main, `// Newer.\n${before}`)
    const digests = [before, `// Newer.\n${before}`].map((text) =>
      createHash('sha256').update(text).digest('hex'),
    )
    const files = await readFile(list, 'utf8')
    await writeFile(list, files.replace(digests[0] ?? '', digests[1] ?? ''))
    await machine.until(
      'the newer agent is noticed',
      async () => (await admin.must('GET /api/nodes/{id}', { params })).agentOutdated,
    )
    const started = [...(await containersOf(engine.socketPath)).values()]
    const { jobId } = await admin.must('POST /api/nodes/{id}/agent-update', { params })
    await machine.until('the agent is replaced', async () => {
      const job = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      if (job.state === 'failed') throw new Error(job.failure?.detail)
      return job.state === 'done'
    })
    expect(await readFile(path.join(prefix, 'agent/src/main.js'), 'utf8')).toMatch(/^\/\/ Newer/)
    expect([...(await containersOf(engine.socketPath)).values()]).toEqual(started)
    await allAre(machine, ids, 'running', 20_000)
  })
})

function changed(token: string, change: object): string {
  const content = JSON.parse(Buffer.from(token.slice('lodge1.'.length), 'base64url').toString())
  const text = JSON.stringify({ ...content, ...change })
  return `lodge1.${Buffer.from(text).toString('base64url')}`
}
