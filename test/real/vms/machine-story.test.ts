import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, startAgent } from '../../../agent/src/agent.ts'
import { readCommandLine } from '../../../agent/src/config.ts'
import {
  type LibvirtFixture,
  libvirtFixture,
  UEFI_PROFILE,
} from '../../../drivers/libvirt/src/testing/fixture.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import {
  NODE_ADDRESS,
  OUTSIDE_ADDRESS,
  openOutside,
} from '../../../drivers/libvirt/src/testing/outside.ts'
import type { Caller } from '../../support/caller.ts'
import { identityOf } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { openTransferPort } from '../../support/transfer-port.ts'
import { until } from '../../support/until.ts'
import {
  connected,
  type FileServer,
  GUEST_NETWORK,
  serveFiles,
  sha256,
} from '../../support/vm-world.ts'

const missing = await libvirtMissing()
/** A guest without KVM on a busy machine. */
const BOOT_MS = 240_000

/** Writes a word to an unused place of the disk. */
const WRITE = (word: string) =>
  `echo ${word} | dd of=/dev/vda bs=512 seek=100000 conv=notrunc 2>/dev/null`
const READ = 'dd if=/dev/vda bs=512 skip=100000 count=1 2>/dev/null | head -n 1'

interface Node {
  readonly id: string
  readonly libvirt: LibvirtFixture
  readonly agent: Agent
  readonly folder: string
}

// Shorter tests cover the same steps: machines.test.ts beside it, and the driver's.
describe.skipIf(missing !== null)(
  'a virtual machine from its medium to another node',
  { tags: 'long' },
  () => {
    let files: FileServer
    let folder: string
    let lodge: Lodge
    let admin: Caller
    let owner: Caller
    const nodes: Node[] = []
    let id = ''

    beforeAll(async () => {
      files = await serveFiles()
      folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-story-'))
      const caFile = path.join(folder, 'ca.pem')
      await writeFile(caFile, files.authority)
      lodge = await startLodge({
        environment: { LODGE_EGRESS_HOSTS: files.host, LODGE_EGRESS_CA: caFile },
      })
      admin = await lodge.admin()
      owner = await lodge.customer()
      nodes.push(await openNode(), await openNode())
    })
    afterAll(async () => {
      for (const node of nodes) {
        await node.agent.stop()
        await node.libvirt.close()
        await rm(node.folder, { recursive: true, force: true })
      }
      await lodge?.[Symbol.asyncDispose]()
      await files?.[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    })

    /** A node with its own libvirt, which downloads media from the server of the tests. */
    async function openNode(): Promise<Node> {
      const own = await mkdtemp(path.join(os.tmpdir(), 'lodge-story-node-'))
      const libvirt = await libvirtFixture({
        mediaFolder: path.join(own, 'media'),
        egress: { allowedHosts: [files.host], authorities: [files.authority] },
      })
      const node = await lodge.joinedNode({ memoryMb: 8192, cpuPercent: 400, diskMb: 20_000 })
      const { config } = readCommandLine(['--data', own, '--driver', 'fake'], {})
      const identity = identityOf(lodge, node)
      const log = pino({ level: process.env.LODGE_LOG_LEVEL ?? 'silent' })
      const agent = await startAgent({ config, identity, drivers: [libvirt.driver], log })
      await connected(lodge, node.id)
      await admin.must('PATCH /api/nodes/{id}/virtualization', {
        params: { id: node.id },
        body: { enabled: true, emulationAllowed: true },
      })
      return { id: node.id, libvirt, agent, folder: own }
    }

    async function ended(jobId: string, state = 'done') {
      const job = await until(async () => {
        const found = await owner.must('GET /api/jobs/{id}', { params: { id: jobId } })
        return found.endedAt === null ? undefined : found
      }, BOOT_MS)
      expect(`${job.title}: ${job.state} ${job.failure?.detail ?? ''}`).toBe(
        `${job.title}: ${state} `,
      )
      return job
    }
    async function act(action: 'start' | 'stop') {
      const { jobId } = await owner.must('POST /api/servers/{id}/actions', {
        params: { id },
        body: { action },
      })
      await ended(jobId)
    }
    const lines = async () =>
      (await owner.must('GET /api/servers/{id}/logs', { params: { id } })).lines
    /** Waits for a line on the serial console of the current run. */
    const serialShows = (wanted: RegExp) =>
      until(async () => (await lines()).findLast((line) => wanted.test(line)), BOOT_MS)
    let asked = 0
    /** Runs a command in the guest's shell, as soon as there is one, and returns its output. */
    async function guest(command: string): Promise<string> {
      asked += 1
      const mark = `answer-${asked}-`
      const params = { id }
      const body = { command: `echo ${mark}$(${command})` }
      let sentMs = 0
      const line = await until(async () => {
        if (Date.now() - sentMs > 10_000) {
          sentMs = Date.now()
          await owner.must('POST /api/servers/{id}/command', { params, body })
        }
        // The shell's prompt precedes it.
        return (await lines()).findLast((one) => new RegExp(`${mark}\\w+\\s*$`).test(one))
      }, BOOT_MS)
      return line.slice(line.lastIndexOf(mark) + mark.length).trim()
    }
    const write = (word: string) => guest(`${WRITE(word)}; sync; ${READ}`)
    const knows = async (node: Node | undefined, uuid: string) =>
      (await node?.libvirt.node.run('virsh', ['list', '--all', '--uuid']))?.output.includes(uuid)

    test(
      'is installed from a medium downloaded over HTTPS and verified by its fingerprint',
      async () => {
        const iso = await readFile(nodes[0]!.libvirt.guest.installIso)
        files.files.set('/install.iso', iso)
        const { medium, jobId } = await admin.must('POST /api/virtualization/media', {
          body: {
            name: 'Install',
            url: files.url('/install.iso'),
            sha256: sha256(iso),
            kind: 'iso',
          },
        })
        await until(async () => {
          const job = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
          return job.state === 'done'
        }, BOOT_MS)
        const network = await admin.must('POST /api/virtualization/networks', {
          body: GUEST_NETWORK,
        })
        const profile = await admin.must('POST /api/virtualization/profiles', {
          body: { name: 'UEFI with TPM', hardware: UEFI_PROFILE },
        })
        const made = await admin.must('POST /api/servers', {
          body: {
            name: 'Story',
            ownerId: owner.id,
            nodeId: nodes[0]!.id,
            memoryMb: 256,
            diskMb: 64,
            templateId: profile.id,
            vm: {
              networkId: network.id,
              vcpus: 1,
              source: { kind: 'iso', mediumId: medium.id },
              guestPort: 80,
            },
          },
        })
        id = made.serverId
        await ended(made.jobId)
        await serialShows(/guest: installed/)
        await until(async () => {
          const server = await owner.must('GET /api/servers/{id}', { params: { id } })
          return server.observedState !== 'running' && server.lastExit?.cause === 'shutdown'
        }, BOOT_MS)
        await act('stop')
      },
      3 * BOOT_MS,
    )

    test(
      'boots from its disk with UEFI and TPM, and serves another network through its host port',
      async () => {
        const out = await owner.must('POST /api/servers/{id}/vm/installation', {
          params: { id },
          body: { mediumId: null },
        })
        await ended(out.jobId)
        await act('start')
        expect(await serialShows(/guest: booted/)).toContain('firmware=uefi secure=no tpm=2')
        await serialShows(/guest: address 10\.77\.0\./)
        const { port } = await owner.must('GET /api/servers/{id}', { params: { id } })
        const outside = await openOutside(nodes[0]!.libvirt.node)
        const url = `http://${NODE_ADDRESS}:${port}/cgi-bin/who`
        const answer = await until(async () => {
          const { code, output } = await outside.run('curl', ['-sS', '-m', '5', url])
          return code === 0 && output.includes('asked by') && output
        }).finally(outside.close)
        expect(answer).toContain('guest')
        expect(answer).toContain(OUTSIDE_ADDRESS)
        expect(await write('first')).toBe('first')
        await act('stop')
      },
      2 * BOOT_MS,
    )

    test('returns to its earlier state when a snapshot is restored', {
      tags: 'long',
      timeout: 4 * BOOT_MS,
    }, async () => {
      const made = await owner.must('POST /api/servers/{id}/vm/snapshots', {
        params: { id },
        body: { name: 'first' },
      })
      await ended(made.jobId)
      const vm = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
      expect(vm.snapshots).toMatchObject([{ state: 'ready', has: { firmware: true, tpm: true } }])
      expect(vm.snapshots[0]?.sizeBytes).toBeGreaterThan(0)
      await act('start')
      expect(await write('second')).toBe('second')
      await act('stop')
      const snapshot = made.snapshotId
      const back = await owner.must('POST /api/servers/{id}/vm/snapshots/{snapshot}/restore', {
        params: { id, snapshot },
        body: { confirm: true },
      })
      await ended(back.jobId)
      const gone = await owner.must('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', {
        params: { id, snapshot },
      })
      await ended(gone.jobId)
      await act('start')
      expect(await guest(READ)).toBe('first')
      await act('stop')
    })

    test(
      'moves to another libvirt directly, and its source is deleted only after it has booted there',
      async () => {
        const { uuid, network } = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
        const [from, to] = await Promise.all(
          nodes.map((node) => admin.must('GET /api/nodes/{id}', { params: { id: node.id } })),
        )
        await openTransferPort(admin, nodes[0]!.id)
        const { jobId } = await owner.must('POST /api/servers/{id}/vm/migrate', {
          params: { id },
          body: { nodeId: nodes[1]!.id, networkId: network.id },
        })
        const { steps } = await ended(jobId)
        expect(steps.find(({ name }) => name === 'Copy')?.detail).toBe(
          `The data went directly from ${from?.name} to ${to?.name}`,
        )
        expect(await knows(nodes[0], uuid)).toBe(true)
        expect(await knows(nodes[1], uuid)).toBe(true)
        await act('start')
        expect(await guest(READ)).toBe('first')
        await until(async () => !(await knows(nodes[0], uuid)))
        const server = await owner.must('GET /api/servers/{id}', { params: { id } })
        expect(server).toMatchObject({ nodeId: nodes[1]!.id, status: 'running' })
      },
      2 * BOOT_MS,
    )
  },
)

test(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})
