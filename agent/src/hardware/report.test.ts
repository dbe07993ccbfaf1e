import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HardwareReport } from '@lodge/shared/hardware.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readDisks } from './disks.ts'
import { readInterfaces } from './interfaces.ts'
import { readHardware } from './report.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'lodge-hardware-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** Files as the kernel shows them. */
async function lay(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

const CORE = (processor: number, core: number) =>
  [
    `processor\t: ${processor}`,
    'model name\t: AMD EPYC 7443P 24-Core Processor',
    'physical id\t: 0',
    `core id\t\t: ${core}`,
    'flags\t\t: fpu svm hypervisor',
  ].join('\n')

test('disks are listed, and what lies on them is not', async () => {
  await lay({
    'block/sda/device/vendor': 'ATA     \n',
    'block/sda/device/model': 'ST4000NM0035\n',
    'block/sda/size': '7814037168\n',
    'block/sda/queue/rotational': '1\n',
    'block/sda/removable': '0\n',
    'block/nvme0n1/device/model': 'SAMSUNG MZQL2960HCJR\n',
    'block/nvme0n1/size': '1875385008\n',
    'block/nvme0n1/queue/rotational': '0\n',
    'block/vda/device/vendor': '0x1af4\n',
    'block/vda/size': '2048\n',
    'block/loop0/size': '2048\n',
    'block/dm-0/size': '2048\n',
    'block/sr0/device/model': 'DVD\n',
    'block/sr0/size': '2048\n',
    'block/sr0/removable': '1\n',
  })
  expect(await readDisks(root)).toEqual([
    { name: 'nvme0n1', model: 'SAMSUNG MZQL2960HCJR', sizeBytes: 960197124096, kind: 'ssd' },
    { name: 'sda', model: 'ATA ST4000NM0035', sizeBytes: 4000787030016, kind: 'hdd' },
    { name: 'vda', model: '', sizeBytes: 1048576, kind: 'ssd' },
  ])
})

test('cards and the interfaces of the operator are listed, those of engines are not', async () => {
  await lay({
    'class/net/eno1/device/vendor': '0x8086\n',
    'class/net/eno1/address': '3c:ec:ef:00:00:01\n',
    'class/net/eno1/speed': '10000\n',
    'class/net/eno1/operstate': 'up\n',
    'class/net/eno2/device/vendor': '0x8086\n',
    'class/net/eno2/speed': '-1\n',
    'class/net/eno2/operstate': 'down\n',
    'class/net/bond0/operstate': 'up\n',
    'class/net/docker0/operstate': 'up\n',
    'class/net/veth12/operstate': 'up\n',
    'class/net/lo/operstate': 'unknown\n',
  })
  const at = (address: string) => ({
    address,
    netmask: '',
    family: 'IPv4' as const,
    mac: '',
    internal: false,
    cidr: null,
  })
  const found = await readInterfaces(root, {
    bond0: [at('192.0.2.7'), { ...at('fe80::1') }],
    docker0: [at('172.17.0.1')],
    lo: [{ ...at('127.0.0.1'), internal: true }],
  })
  expect(found).toEqual([
    { name: 'bond0', mac: '', speedMbit: null, up: true, addresses: ['192.0.2.7'] },
    { name: 'eno1', mac: '3c:ec:ef:00:00:01', speedMbit: 10_000, up: true, addresses: [] },
    { name: 'eno2', mac: '', speedMbit: null, up: false, addresses: [] },
  ])
})

test('the processor, the memory and the system are read as the kernel shows them', async () => {
  await lay({
    'proc/cpuinfo': `${[CORE(0, 0), CORE(1, 1), CORE(2, 0), CORE(3, 1)].join('\n\n')}\n`,
    'proc/meminfo': 'MemTotal:       65842120 kB\nSwapTotal:       1048572 kB\n',
    'etc/os-release': 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
  })
  const report = await readHardware({
    dataFolder: root,
    proc: path.join(root, 'proc'),
    sys: path.join(root, 'sys'),
    etc: path.join(root, 'etc'),
  })
  expect(report.cpu).toMatchObject({
    model: 'AMD EPYC 7443P 24-Core Processor',
    cores: 2,
    sockets: 1,
  })
  expect(report.memoryBytes).toBe(65_842_120 * 1024)
  expect(report.swapBytes).toBe(1_048_572 * 1024)
  expect(report.system).toMatchObject({
    name: 'Debian GNU/Linux 12 (bookworm)',
    virtualized: true,
  })
  expect(report.data.sizeBytes).toBeGreaterThan(0)
  expect([report.disks, report.interfaces]).toEqual([[], []])
})

test('this machine can be read', async () => {
  const report = await readHardware({ dataFolder: root })
  expect(HardwareReport.parse(report)).toEqual(report)
  expect(report.memoryBytes).toBeGreaterThan(0)
  expect(report.system.kernel).not.toBe('')
})
