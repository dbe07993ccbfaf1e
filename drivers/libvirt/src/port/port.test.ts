import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { machinePaths } from '../data/layout.ts'
import { type DomainInput, domainDocument } from '../domain/document.ts'
import { exampleSpec } from '../testing/example.ts'
import { UEFI_PROFILE } from '../testing/fixture.ts'
import { libvirtMissing, startTestNode, type TestNode } from '../testing/node.ts'
import { type Read, readXml } from '../xml/read.ts'
import { FAULT, LibvirtError, LibvirtUnavailable } from './fault.ts'
import { type LibvirtPort, openPort, type PortEvent } from './port.ts'

const missing = await libvirtMissing()
const PATIENCE = { timeout: 60_000, interval: 50 }

describe('the libvirt driver', () => {
  it(missing === null ? 'finds a libvirt to test with' : `skipped: ${missing}`, () => {
    if (process.env.CI) expect(missing).toBeNull()
  })
})

describe.runIf(missing === null)('the port to libvirt', () => {
  let node: TestNode
  let port: LibvirtPort
  const events: PortEvent[] = []
  const heard = (kind: PortEvent['kind']) => events.filter((event) => event.kind === kind).length

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodge-lv-'))
    await rm(folder, { recursive: true })
    node = await startTestNode(folder)
    port = openPort({ uri: node.uri })
    port.listen((event) => events.push(event))
    await vi.waitFor(() => expect(port.isListening()).toBe(true), PATIENCE)
  })
  afterAll(async () => {
    await port?.close()
    await node?.stop()
  })

  const uuidOf = (number: number) =>
    `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
  const definition = (uuid: string, name: string) =>
    `<domain type='qemu'><name>${name}</name><uuid>${uuid}</uuid><memory unit='MiB'>32</memory>` +
    "<os><type arch='x86_64' machine='q35'>hvm</type></os></domain>"

  it('returns the versions of libvirt and QEMU', async () => {
    const versions = await port.call('versions')
    expect(versions.libvirt).toMatch(/^\d+\.\d+\.\d+$/)
    expect(versions.hypervisor).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('gives each of a thousand concurrent failing calls its own error', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, number) =>
        port.call('domainState', uuidOf(number)).then(
          () => 'no error',
          (error: unknown) =>
            error instanceof LibvirtError && error.code === FAULT.noDomain ? error.message : error,
        ),
      ),
    )
    const wrong = outcomes.filter((text, number) => !String(text).includes(uuidOf(number)))
    expect(wrong).toEqual([])
  })

  it('does not mix up errors with interleaved successful calls', async () => {
    const uuid = uuidOf(0xaaaa)
    await port.call('defineDomain', definition(uuid, 'apart'))
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, number) =>
        port.call('domainState', number % 2 === 0 ? uuid : uuidOf(number)).then(
          ({ state }) => state,
          () => 'failed',
        ),
      ),
    )
    expect(outcomes).toEqual(outcomes.map((_, number) => (number % 2 === 0 ? 5 : 'failed')))
    await port.call('undefineDomain', uuid)
  })

  it('rejects an invalid definition with the error message of libvirt', async () => {
    await expect(port.call('defineDomain', '<domain/>')).rejects.toThrow(LibvirtError)
    await expect(port.call('defineDomain', 'no xml')).rejects.toThrow(/XML|document/i)
  })

  it('never interprets a string of a machine as part of its definition', async () => {
    const spec = exampleSpec({
      profile: { ...UEFI_PROFILE, cpuModel: 'Skylake-Client-v1' },
      medium: { sha256: 'a'.repeat(64), url: 'https://a.test/b', kind: 'iso', sizeBytes: 5 },
    })
    const harmless = inputOf(spec)
    const defined = async (input: DomainInput) => {
      await port.call('defineDomain', domainDocument(input))
      const { xml } = await port.call('domain', spec.uuid)
      await port.call('undefineDomain', spec.uuid)
      return xml
    }
    const meant = namesIn(readXml(await defined(harmless)))
    const count = (name: string) => meant.filter((one) => one === name).length
    let kept = 0
    for (const attack of [
      '"/><emulator>/bin/sh</emulator><x y="',
      "'/><emulator>/bin/sh</emulator><x y='",
      '</source><emulator>/bin/sh</emulator><!--',
      ']]><emulator>/bin/sh</emulator><![CDATA[',
      '&lt;emulator&gt;/bin/sh&lt;/emulator&gt;',
    ])
      for (const input of withEachString(harmless, attack)) {
        const xml = await defined(input).catch((error: unknown) => error)
        // libvirt may reject it, for example an unknown CPU model.
        if (xml instanceof LibvirtError) continue
        if (typeof xml !== 'string') throw xml
        kept += 1
        expect(xml).not.toContain('<emulator>/bin/sh')
        // A value that selects between elements may drop some; none is ever added.
        const added = namesIn(readXml(xml)).filter(
          (name, at, all) => all.slice(0, at).filter((one) => one === name).length >= count(name),
        )
        expect(added).toEqual([])
      }
    expect(kept).toBeGreaterThan(50)
  })

  it('reports domain events', async () => {
    const uuid = uuidOf(0xbbbb)
    await port.call('defineDomain', definition(uuid, 'told'))
    await port.call('startDomain', uuid)
    await port.call('destroyDomain', uuid)
    await port.call('undefineDomain', uuid)
    await vi.waitFor(
      () =>
        expect(
          events.flatMap((event) =>
            event.kind === 'lifecycle' && event.uuid === uuid ? [event.event] : [],
          ),
        ).toEqual([0, 4, 2, 6, 5, 1]),
      PATIENCE,
    )
  })

  it('returns statistics of running domains', async () => {
    const uuid = uuidOf(0xcccc)
    await port.call('defineDomain', definition(uuid, 'measured'))
    await port.call('startDomain', uuid)
    const own = (await port.call('allStats')).find((stats) => stats.uuid === uuid)
    expect(own?.values['state.state']).toBe(1)
    expect(own?.values['balloon.maximum']).toBe(32n * 1024n)
    expect(typeof own?.values['cpu.time']).toBe('bigint')
    await port.call('destroyDomain', uuid)
    await port.call('undefineDomain', uuid)
  })

  it('survives a crash in native code by starting another process', async () => {
    const [before, pid] = [heard('listening'), port.childPid()]
    const underWay = port.call('listDomains').then(
      () => null,
      (error: unknown) => error,
    )
    process.kill(pid ?? 0, 'SIGSEGV')
    const error = await underWay
    if (error !== null) expect(error).toBeInstanceOf(LibvirtUnavailable)
    await vi.waitFor(() => expect(heard('listening')).toBeGreaterThan(before), PATIENCE)
    expect(port.childPid()).not.toBe(pid)
    expect(await port.call('listDomains')).toEqual([])
  })

  it('reconnects after libvirtd was killed, and reports that events may be missing', async () => {
    const before = heard('listening')
    const uuid = uuidOf(0xdddd)
    await port.call('defineDomain', definition(uuid, 'outlives'))
    await port.call('startDomain', uuid)
    await node.killLibvirtd()
    await vi.waitFor(() => expect(port.isListening()).toBe(false), PATIENCE)
    await expect(port.call('versions')).rejects.toThrow(/cannot be reached|was lost/)
    await node.startLibvirtd()
    await vi.waitFor(() => expect(heard('listening')).toBeGreaterThan(before), PATIENCE)
    expect(await port.call('domainState', uuid)).toMatchObject({ state: 1 })
    await port.call('destroyDomain', uuid)
    await port.call('undefineDomain', uuid)
  })

  it('times out calls that are not answered, and works again once they are', async () => {
    const hasty = openPort({ uri: node.uri, deadlineMs: 1000, connections: 2 })
    await vi.waitFor(() => expect(hasty.isListening()).toBe(true), PATIENCE)
    const pid = await node.libvirtdPid()
    process.kill(pid, 'SIGSTOP')
    try {
      const calls = Array.from({ length: 3 }, () => hasty.call('listDomains'))
      for (const call of calls) await expect(call).rejects.toThrow(/in time/)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await vi.waitFor(() => hasty.call('listDomains'), PATIENCE)
    await hasty.close()
  })
})

function inputOf(spec: MachineSpec): DomainInput {
  const record = {
    ...{ scope: 'default', serverId: 'hostile', generation: 1, run: 1, fingerprint: 'f', spec },
    ...{ startedAt: null, held: false, lastExit: null },
  }
  return {
    name: 'lodge-default-hostile',
    record,
    paths: machinePaths('/var/lib/lodge/servers', 'hostile'),
    diskCache: 'none',
    accelerator: 'qemu',
    mediumFile: '/var/lib/lodge/media/a',
    hasSeed: true,
    cpuLimit: false,
  }
}

/** One copy for each string anywhere in the value, with the attack appended to that string. */
function withEachString<T>(value: T, attack: string): T[] {
  if (typeof value === 'string') return [`${value}${attack}` as T]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    withEachString(one, attack).map((hostile) => {
      const copy: T = Array.isArray(value) ? (value.slice() as T) : { ...value }
      return Object.assign(copy as object, { [name]: hostile }) as T
    }),
  )
}

/** The names of the element and of all its descendants. */
const namesIn = ({ name, children }: Read): readonly string[] => [
  name,
  ...children.flatMap(namesIn),
]
