import { readFile, statfs } from 'node:fs/promises'
import { arch, availableParallelism, hostname, release } from 'node:os'
import { join } from 'node:path'
import { HardwareReport } from '@lodge/shared/hardware.ts'
import { readDisks } from './disks.ts'
import { readInterfaces } from './interfaces.ts'

export interface HardwareSources {
  readonly dataFolder: string
  /** Where the kernel's files are; other folders in tests. */
  readonly proc?: string
  readonly sys?: string
  readonly etc?: string
}

/** What the machine consists of. What cannot be read is left empty rather than guessed. */
export async function readHardware(sources: HardwareSources): Promise<HardwareReport> {
  const { dataFolder, proc = '/proc', sys = '/sys', etc = '/etc' } = sources
  const [cpu, memory, system, data, disks, interfaces] = await Promise.all([
    textOf(join(proc, 'cpuinfo')),
    textOf(join(proc, 'meminfo')),
    textOf(join(etc, 'os-release')),
    statfs(dataFolder).catch(() => undefined),
    readDisks(sys),
    readInterfaces(sys),
  ])
  const kib = (name: string) => Number(fieldOf(memory, name).replace(/\D+$/, '')) * 1024
  return HardwareReport.parse({
    cpu: cpuOf(cpu),
    memoryBytes: kib('MemTotal'),
    swapBytes: kib('SwapTotal'),
    data: { path: dataFolder.slice(0, 255), sizeBytes: data ? data.blocks * data.bsize : 0 },
    disks,
    interfaces,
    system: {
      name: (/^PRETTY_NAME="?([^"\n]*)"?$/m.exec(system)?.[1] ?? '').slice(0, 128),
      kernel: release().slice(0, 128),
      hostname: hostname().slice(0, 253),
      virtualized: /^flags\s*:.*\bhypervisor\b/m.test(cpu),
    },
  })
}

function cpuOf(text: string): HardwareReport['cpu'] {
  const processors = text.split(/\n\s*\n/).filter((part) => part.includes(':'))
  const sockets = new Set(processors.map((one) => fieldOf(one, 'physical id')))
  const cores = new Set(
    processors.map((one) => `${fieldOf(one, 'physical id')} ${fieldOf(one, 'core id')}`),
  )
  // Other processors than x86 name no cores.
  const named = fieldOf(text, 'core id') !== ''
  return {
    model: (fieldOf(text, 'model name') || fieldOf(text, 'Model')).slice(0, 128),
    threads: availableParallelism(),
    cores: named ? cores.size : null,
    sockets: named ? sockets.size : null,
    architecture: arch(),
  }
}

const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}[ \\t]*:[ \\t]*(.*)$`, 'm').exec(text)?.[1]?.trim() ?? ''

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')
