import { DriverError } from '@lodge/driver/driver.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { machinePaths } from '../data/layout.ts'
import { diskCacheFor } from '../disks/disk-cache.ts'
import { exampleSpec } from '../testing/example.ts'
import { element, write } from '../xml/element.ts'
import { child, type Read, readXml } from '../xml/read.ts'
import { type DomainInput, domainDocument } from './document.ts'
import { type MachineRecord, readRecord, recordText } from './record.ts'

const windows = {
  machine: 'q35',
  firmware: {
    kind: 'uefi',
    secureBoot: true,
    loader: { path: '/usr/share/OVMF/OVMF_CODE_4M.ms.fd' },
    vars: { path: '/usr/share/OVMF/OVMF_VARS_4M.ms.fd' },
  },
  tpm: true,
  cpuModel: 'Skylake-Client-v1',
  diskBus: 'sata',
  nicModel: 'e1000e',
  video: 'qxl',
  guestAgent: true,
} as const

function record(change: Partial<MachineRecord> = {}): MachineRecord {
  return {
    scope: 'default',
    serverId: 'example-1',
    generation: 4,
    run: 2,
    fingerprint: 'f',
    spec: exampleSpec(),
    startedAt: new Date('2026-01-02T03:04:05.678Z'),
    held: false,
    lastExit: null,
    ...change,
  }
}

function input(own: MachineRecord, change: Partial<DomainInput> = {}): DomainInput {
  return {
    name: `lodge-default-${own.serverId}`,
    record: own,
    paths: machinePaths('/var/lib/lodge/servers', own.serverId),
    diskCache: 'none',
    accelerator: 'kvm',
    mediumFile: null,
    hasSeed: false,
    cpuLimit: true,
    ...change,
  }
}

/** One element per line, for readable diffs. */
const readable = (document: string) => document.replaceAll('><', '>\n<')

describe('the definition of a machine', () => {
  it('matches the golden file for a Linux profile', async () => {
    const document = domainDocument(input(record(), { hasSeed: true }))
    await expect(`${readable(document)}\n`).toMatchFileSnapshot('../testing/golden/linux.xml')
  })

  it('writes disks past the cache, or through it on a storage that has no way past', async () => {
    const own = input(record())
    const spec = exampleSpec()
    const at = (disk: string) => ({
      ...{ ...own.paths, disk: () => disk, storage: { id: 'storage', home: '/' } },
    })
    expect(await diskCacheFor(own.paths, spec)).toBe('none')
    expect(await diskCacheFor(at(import.meta.filename), spec)).toBe('none')
    // A file that refuses O_DIRECT.
    const diskCache = await diskCacheFor(at('/proc/self/comm'), spec)
    expect(diskCache).toBe('writethrough')
    expect(domainDocument({ ...own, diskCache })).toContain('cache="writethrough"')
  })

  it('opens an image in a pool as raw, with the key of a secret', () => {
    const own = input(record())
    const pool = { pool: 'vms', user: 'lodge', configFile: '/etc/ceph/ceph.conf' }
    const secretUuid = '0191d3a4-0000-7000-8000-00000000000b'
    const images = new Map([['system', { ...pool, image: 'a.b.system.c', secretUuid }]])
    const document = domainDocument({ ...own, diskCache: 'writeback', images })
    expect(readable(document)).toContain(`<disk type="network" device="disk">
<driver name="qemu" type="raw" cache="writeback" discard="unmap"/>
<source protocol="rbd" name="vms/a.b.system.c">
<config file="/etc/ceph/ceph.conf"/>
<auth username="lodge">
<secret type="ceph" uuid="${secretUuid}"/>
</auth>
</source>
`)
    expect(document).not.toContain('qcow2')
  })

  it('matches the golden file for a Windows profile with limits, two disks and a medium', async () => {
    const spec = exampleSpec({
      profile: windows,
      cpuPercent: 150,
      disks: [
        { id: 'system', sizeMb: 65_536 },
        {
          id: 'data',
          sizeMb: 1024,
          limits: {
            readIops: 100,
            writeIops: 50,
            readBytesPerSecond: 0,
            writeBytesPerSecond: 1_000_000,
          },
        },
      ],
      bootOrder: ['cdrom', 'disk', 'network'],
    })
    const document = domainDocument(
      input(record({ spec }), { mediumFile: '/var/lib/lodge/media/abc' }),
    )
    await expect(`${readable(document)}\n`).toMatchFileSnapshot('../testing/golden/windows.xml')
  })

  it('matches the golden file for emulation without a screen', async () => {
    const { profile } = exampleSpec()
    const spec = exampleSpec({
      profile: { ...profile, diskBus: 'scsi', video: 'none', guestAgent: false },
    })
    const document = domainDocument(
      input(record({ spec }), { accelerator: 'qemu', cpuLimit: false }),
    )
    await expect(`${readable(document)}\n`).toMatchFileSnapshot('../testing/golden/emulated.xml')
  })

  it('contains the record of its server, but no secret of its seed', () => {
    const source = {
      kind: 'image',
      image: { sha256: 'a'.repeat(64), url: 'https://a.test/b', kind: 'raw', sizeBytes: 5 },
      seed: {
        instanceId: 'i',
        hostname: 'h',
        user: 'u',
        sshKeys: [],
        passwordHash: '$6$salt$secret',
      },
    }
    const own = record({ spec: exampleSpec({ source }) })
    const document = domainDocument(input(own))
    expect(document).not.toContain('secret')
    expect(readRecord(document)).toEqual({ ...own, spec: exampleSpec() })
    expect(recordText(own)).not.toContain('secret')
  })

  it('yields no record for domains of others', () => {
    expect(readRecord('<domain><name>x</name></domain>')).toBeNull()
    const foreign = "<metadata><a:b xmlns:a='urn:other'>{}</a:b></metadata>"
    expect(readRecord(`<domain>${foreign}</domain>`)).toBeNull()
    const broken = "<metadata><l:server xmlns:l='urn:lodge:server:1'>{</l:server></metadata>"
    expect(readRecord(`<domain>${broken}</domain>`)).toBeNull()
  })
})

/** Text that XML can represent. */
const text = fc.string({ unit: 'binary' }).filter((value) => {
  try {
    write(element('a', { b: value }))
    return true
  } catch {
    return false
  }
})
const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)

interface Tree {
  name: string
  attributes: Record<string, string>
  children: Tree[]
  text: string
}
const treeOf = (children: fc.Arbitrary<Tree[]>): fc.Arbitrary<Tree> =>
  fc.record({ name, attributes: fc.dictionary(name, text, { maxKeys: 3 }), children, text })
const leaf = treeOf(fc.constant([]))
const branch = treeOf(fc.array(leaf, { maxLength: 2 }))
const tree = treeOf(fc.array(branch, { maxLength: 2 }))

describe('documents', () => {
  const asElement = (from: Tree): ReturnType<typeof element> =>
    element(from.name, from.attributes, ...from.children.map(asElement), from.text)
  const shape = (from: Tree | Read): unknown => ({
    name: from.name,
    attributes: { ...from.attributes },
    text: from.text,
    children: from.children.map(shape),
  })

  it('round-trip any content', () => {
    fc.assert(
      fc.property(tree, (from) => {
        expect(shape(readXml(write(asElement(from))))).toEqual(shape(from))
      }),
      { numRuns: 300 },
    )
  })

  it('never gain an element through a string', () => {
    fc.assert(
      fc.property(text, (value) => {
        const attack = `${value}"/><emulator>/bin/sh</emulator><x y="]]>&`
        const read = readXml(write(element('a', { b: attack }, element('c', {}, attack))))
        expect(read.children.map((one) => one.name)).toEqual(['c'])
        expect(child(read, 'c')?.text).toBe(attack)
        expect(read.attributes).toEqual({ b: attack })
      }),
    )
  })

  it('refuse characters that XML cannot represent', () => {
    for (const value of ['\0', '\u0007', '\ufffe', '\ud800'])
      expect(() => write(element('a', {}, value))).toThrow(DriverError)
  })
})
