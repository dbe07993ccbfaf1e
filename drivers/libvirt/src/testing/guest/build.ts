import { createHash } from 'node:crypto'
import {
  access,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { must } from '../must.ts'
import { unpackPackages } from '../packages.ts'
import { modulesWithNeeds } from './modules.ts'

/** A small real guest: Debian's kernel and busybox, nothing of the host. Paths of its files. */
export interface Guest {
  readonly kernel: string
  readonly initrd: string
  /** An installed system of 24 MiB that boots with BIOS and UEFI. */
  readonly disk: string
  /** Boots with BIOS and UEFI; `install` writes `disk` to the first disk and powers off. */
  readonly liveIso: string
  readonly installIso: string
}

const MODULES = [
  ...['virtio_pci', 'virtio_blk', 'virtio_net', 'virtio_console', 'virtio-rng', 'virtio_balloon'],
  ...['virtio_scsi', 'sr_mod', 'isofs', 'button', 'evdev', 'pvpanic-mmio', 'pvpanic-pci'],
  ...['efivarfs', 'sd_mod'],
]
const GRUB_MODULES = [
  ...['part_msdos', 'part_gpt', 'fat', 'iso9660', 'search', 'search_fs_file', 'linux'],
  ...['serial', 'terminal', 'echo', 'minicmd'],
]
const DISK_MIB = 24
const PARTITION_SECTOR = 2048

/** Builds the guest, or returns the one that an earlier test on this machine has built. */
export async function buildGuest(): Promise<Guest> {
  const sources = ['build.ts', 'init.sh', 'modules.ts'].map((name) =>
    readFile(join(import.meta.dirname, name)),
  )
  const name = createHash('sha256')
    .update(Buffer.concat(await Promise.all(sources)))
    .digest('hex')
  const folder = join(tmpdir(), `lodge-test-guest-${name.slice(0, 16)}`)
  if (!(await isThere(folder))) {
    const work = `${folder}.${process.pid}`
    try {
      await build(work)
      // Another test may have been faster; its guest is identical.
      await rename(join(work, 'out'), folder).catch(() => access(folder))
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }
  return {
    kernel: join(folder, 'vmlinuz'),
    initrd: join(folder, 'initrd.gz'),
    disk: join(folder, 'disk.raw'),
    liveIso: join(folder, 'live.iso'),
    installIso: join(folder, 'install.iso'),
  }
}

async function build(work: string): Promise<void> {
  const [out, root] = [join(work, 'out'), join(work, 'root')]
  await mkdir(out, { recursive: true })
  const depends = await must('apt-cache', ['depends', 'linux-image-cloud-amd64'])
  const kernelPackage = /Depends: (linux-image-\S+)/.exec(depends)?.[1]
  if (!kernelPackage) throw new Error('Debian has no cloud kernel')
  const packages = [
    ...[kernelPackage, 'busybox-static', 'grub-common'],
    ...['grub-pc-bin', 'grub-efi-amd64-bin', 'syslinux', 'syslinux-common'],
  ]
  await unpackPackages(packages, root)
  const release = kernelPackage.replace('linux-image-', '')
  await cp(join(root, 'boot', `vmlinuz-${release}`), join(out, 'vmlinuz'))

  const system = join(work, 'system')
  for (const name of ['bin', 'dev', 'proc', 'sys', 'tmp', 'run', 'etc', 'modules'])
    await mkdir(join(system, name), { recursive: true })
  await cp(join(root, 'bin/busybox'), join(system, 'bin/busybox'))
  await cp(join(import.meta.dirname, 'init.sh'), join(system, 'init'))
  await must('chmod', ['755', join(system, 'init')])
  const order = await modulesWithNeeds(join(root, 'lib/modules', release, 'kernel'), MODULES)
  for (const file of order) await cp(file, join(system, 'modules', basename(file)))
  await writeFile(join(system, 'modules/order'), order.map((file) => basename(file)).join('\n'))
  await pack(system, join(out, 'initrd.gz'))
  await buildDisk(work)
  const payload = join(work, 'payload')
  await mkdir(payload)
  await writeFile(join(payload, 'payload.gz'), gzipSync(await readFile(join(out, 'disk.raw'))))
  await pack(payload, join(work, 'payload.img'))
  await buildIso(work, 'live')
  await buildIso(work, 'install')
}

/** Packs a folder as an initial RAM disk. */
async function pack(folder: string, file: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  await must('cpio', ['--create', '--format=newc', '--quiet', '-F', `${file}.cpio`], {
    cwd: folder,
    input: ['.', ...names].join('\n'),
  })
  await writeFile(file, gzipSync(await readFile(`${file}.cpio`)))
  await rm(`${file}.cpio`)
}

/** A boot loader that runs a script at once, without a menu. */
async function grub(
  work: string,
  target: 'i386-pc' | 'x86_64-efi',
  script: string[],
  file: string,
) {
  const library = join(work, 'root/usr/lib/grub', target)
  const config = `${file}.cfg`
  await writeFile(config, `${script.join('\n')}\n`)
  const own = target === 'i386-pc' ? ['biosdisk'] : ['efi_gop']
  await must(join(work, 'root/usr/bin/grub-mkimage'), [
    ...['-d', library, '-O', target, '-o', file, '-p', '/', '-c', config],
    ...[...GRUB_MODULES, ...own],
  ])
}

/** Without the check of a timer that fails where the emulation gets no CPU for a moment. */
export const KERNEL_WORDS = 'console=tty0 console=ttyS0 quiet no_timer_check'
const kernelWords = (words: string) => `${KERNEL_WORDS} panic=30 ${words}`

const boots = (flag: string, folder: string, words: string, more = '') => [
  `search --no-floppy --file ${flag} --set=root`,
  `linux ${folder}/vmlinuz ${kernelWords(words)}`,
  `initrd ${folder}/initrd.gz ${more}`,
  'boot',
]

/**
 * One FAT partition with all files. With a BIOS, SYSLINUX loads the kernel: an emulated CPU needs
 * two seconds less for it than for GRUB.
 */
async function buildDisk(work: string): Promise<void> {
  const disk = join(work, 'out/disk.raw')
  await grub(work, 'x86_64-efi', boots('/lodge-disk', '', 'lodge.disk'), join(work, 'disk.efi'))
  await writeFile(disk, '')
  await truncate(disk, DISK_MIB * 1024 * 1024)
  const partitionByte = PARTITION_SECTOR * 512
  const partition = `${disk}@@${partitionByte}`
  const sectors = DISK_MIB * 2048 - PARTITION_SECTOR
  const mtools = (program: string, ...args: string[]) => must(program, ['-i', partition, ...args])
  const shape = ['-T', String(sectors), '-h', '16', '-s', '63', '-c', '64']
  await mtools('mformat', ...shape, '-H', String(PARTITION_SECTOR), '-v', 'LODGE', '::')
  await mtools('mmd', '::/EFI', '::/EFI/BOOT')
  await mtools('mcopy', join(work, 'disk.efi'), '::/EFI/BOOT/BOOTX64.EFI')
  await writeFile(join(work, 'lodge-disk'), '')
  await writeFile(
    join(work, 'syslinux.cfg'),
    [
      'DEFAULT guest',
      'LABEL guest',
      'LINUX /vmlinuz',
      'INITRD /initrd.gz',
      `APPEND ${kernelWords('lodge.disk')}`,
      '',
    ].join('\n'),
  )
  for (const file of ['lodge-disk', 'syslinux.cfg', 'out/vmlinuz', 'out/initrd.gz'])
    await mtools('mcopy', join(work, file), '::/')
  const install = join(work, 'root/usr/bin/syslinux')
  await must(install, ['--offset', String(partitionByte), '--install', disk])

  const image = await readFile(disk)
  const bootSector = await readFile(join(work, 'root/usr/lib/syslinux/mbr/mbr.bin'))
  bootSector.copy(image, 0, 0, 440)
  image.set([0x80, 0, 0x21, 0, 0xef, 0xfe, 0xff, 0xff], 446)
  image.writeUInt32LE(PARTITION_SECTOR, 454)
  image.writeUInt32LE(sectors, 458)
  image.writeUInt16LE(0xaa55, 510)
  await writeFile(disk, image)
}

/** A hybrid ISO image for BIOS and UEFI. */
async function buildIso(work: string, kind: 'live' | 'install'): Promise<void> {
  const tree = join(work, kind)
  await mkdir(join(tree, 'boot'), { recursive: true })
  for (const file of ['vmlinuz', 'initrd.gz'])
    await cp(join(work, 'out', file), join(tree, 'boot', file))
  if (kind === 'install') await cp(join(work, 'payload.img'), join(tree, 'boot/payload.img'))
  await writeFile(join(tree, `lodge-${kind}`), '')
  const more = kind === 'install' ? '/boot/payload.img' : ''
  const script = boots(`/lodge-${kind}`, '/boot', `lodge.${kind}`, more)
  await grub(work, 'i386-pc', script, join(work, `${kind}.core`))
  await grub(work, 'x86_64-efi', script, join(work, `${kind}.efi`))
  const library = join(work, 'root/usr/lib/grub/i386-pc')
  await writeFile(
    join(tree, 'boot/eltorito.img'),
    Buffer.concat([
      await readFile(join(library, 'cdboot.img')),
      await readFile(join(work, `${kind}.core`)),
    ]),
  )
  const esp = join(work, `${kind}.esp`)
  await writeFile(esp, '')
  await truncate(esp, 2 * 1024 * 1024)
  await must('mformat', ['-i', esp, '-v', 'EFI', '::'])
  await must('mmd', ['-i', esp, '::/EFI', '::/EFI/BOOT'])
  await must('mcopy', ['-i', esp, join(work, `${kind}.efi`), '::/EFI/BOOT/BOOTX64.EFI'])
  await must('xorriso', [
    ...[
      '-as',
      'mkisofs',
      '-quiet',
      '-V',
      'LODGE',
      '-J',
      '-R',
      '-o',
      join(work, 'out', `${kind}.iso`),
    ],
    ...['-b', 'boot/eltorito.img', '-no-emul-boot', '-boot-load-size', '4', '-boot-info-table'],
    ...['--grub2-boot-info', '--grub2-mbr', join(library, 'boot_hybrid.img'), '-eltorito-alt-boot'],
    ...['-e', '--interval:appended_partition_2:all::', '-no-emul-boot'],
    ...['-append_partition', '2', '0xef', esp, tree],
  ])
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
