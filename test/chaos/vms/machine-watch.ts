import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LOOK_MS = 60

/** A process that belongs to a machine. */
export interface MachineProcess {
  readonly pid: number
  readonly program: 'qemu-system' | 'swtpm' | 'qemu-img'
  /** The network namespace of its node. */
  readonly namespace: string
}

/** Every process on all nodes whose command line contains the machine's UUID or its server's id. */
export function processesOf(names: readonly string[]): MachineProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const line = quietly(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'))
    const [file = ''] = line.split('\0')
    const program = (['qemu-system', 'swtpm', 'qemu-img'] as const).find((one) =>
      (file.split('/').at(-1) ?? '').startsWith(one),
    )
    if (!program || !names.some((one) => line.includes(one))) return []
    const namespace = quietly(() => readlinkSync(`/proc/${name}/ns/net`))
    return namespace === '' ? [] : [{ pid: Number(name), program, namespace }]
  })
}

function quietly(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Continuously checks that no machine runs twice, independently of Lodge and libvirt. */
export class CopyWatch {
  readonly #timer: NodeJS.Timeout
  #uuids: readonly string[] = []
  /** The number of checks, and the violations found. */
  looks = 0
  readonly seenTwice: string[] = []

  constructor() {
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
  }

  watch(uuids: readonly string[]): void {
    this.#uuids = uuids
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    this.looks += 1
    for (const uuid of this.#uuids) {
      const all = processesOf([uuid]).filter(({ program }) => program === 'qemu-system')
      if (all.length > 1) this.seenTwice.push(`${uuid}: ${JSON.stringify(all)}`)
    }
  }
}
