import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { buildGuest, type Guest } from '../../../drivers/libvirt/src/testing/guest/build.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import { until } from '../../support/until.ts'
import { type FileServer, LINUX, serveFiles, sha256 } from '../../support/vm-world.ts'
import { HttpCaller } from '../support/http-caller.ts'
import { networkMissing } from '../support/network.ts'
import { type Program, program } from '../support/program.ts'
import { type FreshMachine, freshMachine } from './fresh-machine.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const missing = (await libvirtMissing()) ?? (await networkMissing())
/** A guest without KVM on a busy machine. */
const BOOT_MS = 240_000
const SSH_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUTyz1HwHReFVvD5obVsALAgJRNarH4TRpNePnAS keys@example.com'

// The newcomer's machine is its shorter form in every run.
describe.skipIf(missing !== null)('a virtual machine after npm start', { tags: 'long' }, () => {
  let machine: FreshMachine
  let files: FileServer
  let guest: Guest
  let lodge: Program
  let admin: HttpCaller

  beforeAll(async () => {
    guest = await buildGuest()
    machine = await freshMachine()
    files = await serveFiles(machine.network.hostAddress)
    const caFile = `${machine.dataFolder}.ca.pem`
    await writeFile(caFile, files.authority)
    lodge = program({
      network: machine,
      command: ['npm', 'start'],
      cwd: repository,
      environment: {
        LODGE_DATA: machine.dataFolder,
        LODGE_EGRESS_HOSTS: files.host,
        LODGE_EGRESS_CA: caFile,
        NODE_ENV: 'production',
      },
      logFile: `${machine.dataFolder}.log`,
    })
    lodge.start()
    await until(() => {
      if (!lodge.isRunning) throw new Error(lodge.lastWords())
      return lodge.output().includes('Lodge is ready')
    }, BOOT_MS)
    admin = new HttpCaller(`http://${machine.network.address}:8080`)
    await admin.must('POST /api/auth/bootstrap', {
      body: { email: 'root@example.com', password: 'a long and quiet evening' },
    })
  })
  afterAll(async () => {
    await lodge?.stop()
    await files?.[Symbol.asyncDispose]()
    await machine?.[Symbol.asyncDispose]()
  })

  const seen = async (...command: readonly string[]) =>
    (await runProgram(...machine.inside(command), { deadlineMs: BOOT_MS })).output

  async function done(jobId: string): Promise<void> {
    const job = await until(async () => {
      const found = await admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
      return found.endedAt !== null && found
    }, BOOT_MS)
    if (job.state !== 'done') throw new Error(`${job.title}: ${JSON.stringify(job.failure)}`)
  }

  test('is created from an image, boots, is reachable by its port, and leaves nothing behind', async () => {
    const node = await until(async () => {
      const [first] = (await admin.must('GET /api/nodes')).items
      return first?.state === 'online' && first.virtualization.found?.available && first
    }, BOOT_MS)
    // Both reports use the same words.
    const of = (checks: typeof node.preflight, id: string) => checks.find((one) => one.id === id)
    const found = node.virtualization.found?.checks as typeof node.preflight
    expect(of(node.preflight, 'libvirt')).toEqual(of(found, 'libvirt'))
    expect(of(node.preflight, 'kvm')).toEqual(of(found, 'kvm'))
    await admin.must('PATCH /api/nodes/{id}/virtualization', {
      params: { id: node.id },
      body: { enabled: true, emulationAllowed: true },
    })
    const image = await readFile(guest.disk)
    files.files.set('/guest.raw', image)
    const { medium, jobId } = await admin.must('POST /api/virtualization/media', {
      body: {
        name: 'Guest',
        url: files.url('/guest.raw'),
        sha256: sha256(image),
        kind: 'raw',
      },
    })
    await done(jobId)
    const network = await admin.must('POST /api/virtualization/networks', {
      body: {
        name: 'Guests',
        mode: 'nat',
        libvirtName: 'guests',
        subnet: '10.77.0.0/24',
        poolFrom: '10.77.0.10',
        poolTo: '10.77.0.99',
      },
    })
    const { id: ownerId } = await admin.must('GET /api/auth/me')
    const made = await admin.must('POST /api/servers', {
      body: {
        name: 'First machine',
        ownerId,
        memoryMb: 256,
        diskMb: 1024,
        templateId: LINUX,
        vm: {
          networkId: network.id,
          vcpus: 1,
          source: { kind: 'image', mediumId: medium.id, seed: { sshKeys: [SSH_KEY] } },
          guestPort: 80,
        },
        start: true,
      },
    })
    await done(made.jobId)
    const params = { id: made.serverId }
    const server = await until(async () => {
      const seen = await admin.must('GET /api/servers/{id}', { params })
      if (seen.failure) throw new Error(seen.failure.detail)
      return seen.status === 'running' && seen
    }, BOOT_MS)
    const url = `http://${machine.network.address}:${server.port}/cgi-bin/who`
    const answer = await until(async () => {
      // fetch does not accept the line ends of the guest's server.
      const { code, output } = await runProgram('curl', ['-sS', '-m', '5', url])
      return code === 0 && output
    }, BOOT_MS)
    expect(answer).toContain('guest first-machine')

    // Nobody else on the machine can read the guest's data.
    const folder = path.join(machine.dataFolder, 'agent/machines', made.serverId)
    const written = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
      (one) => one.isFile(),
    )
    expect(written.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['system.qcow2', 'seed.iso', 'firmware.fd']),
    )
    for (const { parentPath, name } of written)
      expect([name, (await stat(path.join(parentPath, name))).mode & 0o077]).toEqual([name, 0])

    // Nothing of it remains after deletion.
    await admin.must('DELETE /api/servers/{id}', { params, query: { confirm: 'true' } })
    await until(async () => (await admin.must('GET /api/servers')).items.length === 0, BOOT_MS)
    expect(await seen('virsh', 'list', '--all', '--name')).not.toContain('lodge')
    expect(await seen('virsh', 'net-list', '--all', '--name')).not.toContain('guests')
    expect(await seen('ip', '-brief', 'link')).not.toMatch(/^lg/m)
    expect(await seen('ls', '/var/log/libvirt/qemu')).not.toContain(made.serverId)
    expect(await readdir(path.dirname(folder))).not.toContain(made.serverId)
  })

  test('leaves libvirt no hook when Lodge is uninstalled', async () => {
    const hooks = ['find', '/etc/libvirt/hooks', '-type', 'f', '-name', '*lodge*']
    expect(await seen(...hooks)).toMatch(/^\/etc\/libvirt\/hooks\/qemu\.d\/50-lodge-[0-9a-f]{8}\n$/)
    const environment = [`LODGE_DATA=${machine.dataFolder}`, 'NODE_ENV=production']
    const output = await seen('env', ...environment, 'npm', 'run', 'uninstall', '--', '--yes')
    expect(await seen(...hooks), output).toBe('')
  })
})
