import { randomUUID } from 'node:crypto'
import { chown, cp, mkdir, readFile, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import { qemuUser } from '../../../drivers/libvirt/src/host/system-user.ts'
import type { LibvirtPort } from '../../../drivers/libvirt/src/port/port.ts'
import type { MachineNode } from './machine-node.fixture.ts'

/** A machine with exactly the same hardware, under libvirt alone. */
export interface BareMachine {
  readonly uuid: string
  /** Its domain XML. */
  readonly document: string
  readonly disk: string
  define(): Promise<void>
  /** Resolves when libvirt runs its guest. */
  start(): Promise<void>
  /** Resolves when its serial console has printed this. */
  says(text: string): Promise<void>
  end(): Promise<void>
}

let made = 0

/** A copy of a stopped machine of ours in a separate folder, under another name, and not yet defined. */
export async function bareCopy(
  node: MachineNode,
  serverId: string,
  parent: string,
): Promise<BareMachine> {
  const paths = node.paths(serverId)
  const folder = path.join(parent, `bare-${made++}`)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  await cp(paths.disks, path.join(folder, 'disks'), { recursive: true })
  for (const file of [paths.seed, paths.firmware])
    await cp(file, path.join(folder, path.basename(file))).catch(() => undefined)
  const document = await documentOf(node.port, await uuidOf(node.port, serverId))
  return bareMachine(node.port, folder, renamed(document, paths.folder, folder))
}

function bareMachine(
  port: LibvirtPort,
  folder: string,
  given: { uuid: string; document: string },
): BareMachine {
  const { uuid, document } = given
  const sockets = path.join(folder, 'run')
  return {
    uuid,
    document,
    disk: path.join(folder, 'disks/system.qcow2'),
    async define() {
      await port.call('defineDomain', document)
    },
    async start() {
      await rm(sockets, { recursive: true, force: true })
      await mkdir(sockets, { mode: 0o700 })
      const { uid, gid } = await qemuUser()
      await chown(sockets, uid, gid)
      await port.call('startDomain', uuid)
    },
    says: (text) => serialSays(path.join(sockets, 'serial'), text),
    async end() {
      await port.call('destroyDomain', uuid)
    },
  }
}

function renamed(document: string, from: string, to: string): { uuid: string; document: string } {
  const uuid = randomUUID()
  const digits = (made % 256).toString(16).padStart(2, '0')
  return {
    uuid,
    document: document
      .replace(/<metadata>[\s\S]*<\/metadata>/, '')
      .replace(/<name>[^<]*<\/name>/, `<name>bare-${uuid}</name>`)
      .replace(/<uuid>[^<]*<\/uuid>/, `<uuid>${uuid}</uuid>`)
      .replace(/<mac address='[^']*'\/>/, `<mac address='52:54:00:ba:4e:${digits}'/>`)
      .replace(/<target dev='lg[^']*'\/>/, `<target dev='bare${digits}'/>`)
      .replaceAll(from, to),
  }
}

async function documentOf(port: LibvirtPort, uuid: string): Promise<string> {
  return (await port.call('domain', uuid)).xml
}

export async function uuidOf(port: LibvirtPort, serverId: string): Promise<string> {
  const all = await port.call('listDomains')
  const found = all.find(({ name }) => name.endsWith(serverId))
  if (!found) throw new Error('libvirt knows no such machine')
  return found.uuid
}

/** Reads a serial console until it has printed this. */
function serialSays(socketPath: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const socket = createConnection(socketPath)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      output += chunk
      if (!output.includes(text)) return
      socket.destroy()
      resolve()
    })
  })
}

/** The same, for a console that somebody else reads and logs to a file. */
export async function logSays(file: string, text: string): Promise<void> {
  for (;;) {
    const content = await readFile(file).catch(() => Buffer.alloc(0))
    if (content.includes(text)) return
    await pause(5)
  }
}

/** Converts an image to a disk, as a first installation does. */
export async function convertImage(image: string, to: string, sizeMb: number): Promise<void> {
  for (const args of [
    ['convert', '-f', 'raw', '-O', 'qcow2', image, to],
    ['resize', '-q', to, `${sizeMb}M`],
  ]) {
    const { code, output } = await runProgram('qemu-img', args)
    if (code !== 0) throw new Error(output)
  }
}
