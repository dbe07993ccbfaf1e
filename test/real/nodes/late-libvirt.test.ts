import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, startAgent } from '../../../agent/src/agent.ts'
import { readCommandLine } from '../../../agent/src/config.ts'
import { startBeforeMachines } from '../../../agent/src/late-machines.ts'
import { dockerDriver } from '../../../drivers/docker/src/docker.ts'
import { type LibvirtDriver, libvirtDriver } from '../../../drivers/libvirt/src/libvirt.ts'
import {
  libvirtMissing,
  startTestNode,
  type TestNode,
} from '../../../drivers/libvirt/src/testing/node.ts'
import type { Caller } from '../../support/caller.ts'
import { identityOf } from '../../support/real-agent.ts'
import { type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const missing = await libvirtMissing()
const log = pino({ level: process.env.LODGE_LOG_LEVEL ?? 'silent' })

test(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})

describe.skipIf(missing !== null)('a node on which libvirt is installed after its agent', () => {
  let folder: string
  let lodge: Lodge
  let admin: Caller
  let node: JoinedNode
  let libvirt: TestNode | undefined
  let machines: LibvirtDriver | undefined
  let agent: Pick<Agent, 'stop'> | undefined
  const failures: unknown[] = []
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-late-'))
    // Traversable like /var/lib: QEMU runs under its own account.
    await chmod(folder, 0o711)
    lodge = await startLodge()
    admin = await lodge.admin()
    node = await lodge.joinedNode()
  })
  afterAll(async () => {
    await agent?.stop()
    await machines?.close()
    await libvirt?.stop()
    await lodge?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const seen = async () => await admin.must('GET /api/nodes/{id}', { params: { id: node.id } })

  test('accepts virtual machines without a restart of the agent', async () => {
    const { config } = readCommandLine(['--data', path.join(folder, 'agent')], {})
    const identity = identityOf(lodge, node)
    const containers = dockerDriver({
      socketPath: path.join(folder, 'no-engine'),
      dataRoot: path.join(folder, 'servers'),
      archiveFolder: path.join(folder, 'images'),
      labelScope: 'late',
      networkPrefix: 'late',
      subnetPool: '10.213.0.0/16',
      engineSupervised: false,
      log: () => {},
    })
    let looked = 0
    let refusals = 1
    agent = await startBeforeMachines({
      log,
      start: (own) =>
        startAgent({ config, identity, log, drivers: own ? [containers, own] : [containers] }),
      async isInstalled() {
        looked += 1
        return libvirt !== undefined
      },
      async openMachines() {
        // As while its packages are being unpacked.
        refusals -= 1
        if (refusals >= 0 || !libvirt) throw new Error('not yet')
        machines = libvirtDriver({
          uri: libvirt.uri,
          dataRoot: path.join(folder, 'machines'),
          mediaFolder: path.join(folder, 'media'),
          tpmFolder: libvirt.tpmFolder,
          networkNamespace: libvirt.networkNamespace,
        })
        return machines
      },
      failed: (error) => failures.push(error),
      lookEveryMs: 100,
    })
    await until(async () => looked > 1 && (await seen()).state === 'online')
    expect((await seen()).virtualization.found).toBeNull()

    libvirt = await startTestNode(path.join(folder, 'node'))
    const found = await until(async () => {
      const { state, virtualization } = await seen()
      return state === 'online' && virtualization.found?.available && virtualization.found
    }, 120_000)
    const { output } = await libvirt.run('libvirtd', ['--version'])
    expect(output).toContain(found.libvirtVersion)
    await admin.must('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true, emulationAllowed: true },
    })
    expect((await seen()).virtualization.enabled).toBe(true)
    expect(failures).toEqual([])
  })
})
