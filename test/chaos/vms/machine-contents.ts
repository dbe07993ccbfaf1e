import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import type { MachineNode } from '../../real/support/machine-fleet.ts'
import { processesOf } from './machine-watch.ts'

const MARK_AT = 20 * 1024 * 1024

/** A machine as seen by the tests, on any node. */
export interface Subject {
  readonly serverId: string
  readonly uuid: string
  readonly mac: string
  readonly address: string
}

/** Fingerprints, by file, of everything that makes up a stopped machine. */
export type Contents = Readonly<Record<string, string>>

export const folderOf = (node: MachineNode, { serverId }: Subject) =>
  path.join(node.dataFolder, 'machines', serverId)
const tpmOf = (node: MachineNode, { uuid }: Subject) => path.join(node.libvirt.tpmFolder, uuid)

/** Disk as a guest sees it, firmware variables and TPM of a stopped machine. */
export const contentsOf = (node: MachineNode, subject: Subject): Promise<Contents> =>
  contentsIn(folderOf(node, subject), tpmOf(node, subject))

/** A disk as QEMU's programs name it. */
interface DiskPlace {
  readonly format: 'qcow2' | 'raw'
  readonly location: string
}
const fileIn = (folder: string): DiskPlace => ({
  format: 'qcow2',
  location: path.join(folder, 'disks/system.qcow2'),
})

/** The same of one whose files lie in these folders. */
export async function contentsIn(
  folder: string,
  tpmFolder: string,
  disk = fileIn(folder),
): Promise<Contents> {
  const tpm = path.join(tpmFolder, 'tpm2')
  const states = (await readdir(tpm).catch((): string[] => [])).filter((name) => name[0] !== '.')
  return Object.fromEntries([
    ['disk', await diskContent(disk)],
    ...(await sha256Of(path.join(folder, 'firmware.fd')).then(
      (is) => [['firmware', is] as const],
      () => [],
    )),
    ...(await Promise.all(
      states.map(async (name) => [name, await sha256Of(path.join(tpm, name))] as const),
    )),
  ])
}

/** The same of a snapshot. */
export async function snapshotContents(
  node: MachineNode,
  subject: Subject,
  id: string,
): Promise<Contents> {
  const folder = path.join(folderOf(node, subject), 'snapshots', id)
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as {
    files: { name: string; part: string }[]
  }
  const parts = manifest.files.flatMap(({ name, part }) => {
    const file = path.join(folder, name)
    if (part === 'disk')
      return [diskContent({ format: 'qcow2', location: file }).then((is) => ['disk', is] as const)]
    if (part === 'seed') return []
    return [sha256Of(file).then((is) => [part === 'tpm' ? name : part, is] as const)]
  })
  return Object.fromEntries(await Promise.all(parts))
}

async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

async function diskContent({ format, location }: DiskPlace): Promise<string> {
  const raw = path.join(os.tmpdir(), `lodge-content-${process.pid}`)
  if (format === 'qcow2') await must('qemu-img', 'check', '-q', '-f', format, location)
  await must('qemu-img', 'convert', '-f', format, '-O', 'raw', location, raw)
  return sha256Of(raw).finally(() => rm(raw, { force: true }))
}

/** Writes new content to the disk of a stopped machine. */
export const mark = (node: MachineNode, subject: Subject, byte: number): Promise<void> =>
  markIn(fileIn(folderOf(node, subject)), byte)

export async function markIn({ format, location }: DiskPlace, byte: number): Promise<void> {
  await must('qemu-io', '-f', format, '-c', `write -P ${byte % 256} ${MARK_AT} 4096`, location)
}

/** Whether the disk of a stopped machine has what `mark` wrote. */
export const isMarked = (node: MachineNode, subject: Subject, byte: number): Promise<boolean> =>
  isMarkedIn(fileIn(folderOf(node, subject)), byte)

export async function isMarkedIn({ format, location }: DiskPlace, byte: number): Promise<boolean> {
  const read = `read -P ${byte % 256} ${MARK_AT} 4096`
  const { code } = await runProgram('qemu-io', ['-r', '-f', format, '-c', read, location])
  return code === 0
}

async function must(file: string, ...args: string[]): Promise<void> {
  const { code, output } = await runProgram(file, args)
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${output}`)
}

/** What a node still stores of a removed machine, in words. */
export async function leftovers(node: MachineNode, subject: Subject): Promise<string[]> {
  const { run } = node.libvirt
  const has = async (file: string, ...args: string[]) => (await run(file, args)).output
  const domains = await has('virsh', 'list', '--all', '--uuid')
  const leases = await Promise.all(
    (await has('virsh', 'net-list', '--all', '--name'))
      .split('\n')
      .filter(Boolean)
      .map((name) => has('virsh', 'net-dumpxml', name)),
  )
  const rules = await has('nft', 'list', 'ruleset')
  const there = await readdir(path.dirname(folderOf(node, subject))).catch((): string[] => [])
  const tpms = await readdir(node.libvirt.tpmFolder).catch((): string[] => [])
  return [
    domains.includes(subject.uuid) && 'a domain',
    leases.some((lease) => lease.includes(subject.mac)) && 'a lease',
    rules.includes(`${subject.address} `) && 'a rule of the firewall',
    there.includes(subject.serverId) && 'files',
    tpms.includes(subject.uuid) && 'the state of a TPM',
  ].filter((one) => one !== false)
}

/** Partial copies and processes of a stopped machine, in words. */
export async function halves(node: MachineNode, subject: Subject): Promise<string[]> {
  const names = await readdir(folderOf(node, subject), { recursive: true })
  const half = names.filter((name) => /(^|\/)(arriving|returning)|\.(new|gone)$/.test(name))
  const processes = processesOf([subject.uuid, subject.serverId])
  return [...half, ...processes.map(({ program, pid }) => `${program} ${pid}`)]
}

/** The output of the machine's guests. */
export async function serialLine(node: MachineNode, subject: Subject): Promise<string> {
  return await readFile(path.join(folderOf(node, subject), 'serial.log'), 'utf8').catch(() => '')
}

/** The response of the guest's web server through the host port, or why there is none. */
export async function serves(node: MachineNode, port: number | null): Promise<string> {
  const url = `http://127.0.0.1:${port}/cgi-bin/who`
  return (await node.libvirt.run('curl', ['-sS', '-m', '3', url])).output
}
