import { cp, mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { must } from '../must.ts'
import { unpackedPackages } from '../packages.ts'
import { type Guest, KERNEL_WORDS } from './build.ts'

/**
 * Builds an ISO image that boots with Secure Boot: the boot loaders signed by Microsoft and Debian,
 * and the test guest, whose kernel Debian has signed. Returns its path in `folder`.
 */
export async function buildSignedIso(guest: Guest, folder: string): Promise<string> {
  const root = await unpackedPackages(['shim-signed', 'grub-efi-amd64-signed'])
  const tree = join(folder, 'signed')
  await mkdir(join(tree, 'boot/grub'), { recursive: true })
  await mkdir(join(tree, '.disk'))
  // The signed GRUB finds its disc by this file.
  await writeFile(join(tree, '.disk/info'), 'test\n')
  await writeFile(
    join(tree, 'boot/grub/grub.cfg'),
    `linux /boot/vmlinuz ${KERNEL_WORDS}\ninitrd /boot/initrd.gz\nboot\n`,
  )
  await cp(guest.kernel, join(tree, 'boot/vmlinuz'))
  await cp(guest.initrd, join(tree, 'boot/initrd.gz'))
  const esp = join(folder, 'signed.esp')
  await writeFile(esp, '')
  await truncate(esp, 6 * 1024 * 1024)
  await must('mformat', ['-i', esp, '-v', 'EFI', '::'])
  await must('mmd', ['-i', esp, '::/EFI', '::/EFI/BOOT'])
  for (const [from, to] of [
    ['usr/lib/shim/shimx64.efi.signed', 'BOOTX64.EFI'],
    ['usr/lib/grub/x86_64-efi-signed/gcdx64.efi.signed', 'grubx64.efi'],
  ])
    await must('mcopy', ['-i', esp, join(root, from ?? ''), `::/EFI/BOOT/${to}`])
  const iso = join(folder, 'signed.iso')
  await must('xorriso', [
    ...['-as', 'mkisofs', '-quiet', '-V', 'SIGNED', '-J', '-R', '-o', iso, '-eltorito-alt-boot'],
    ...['-e', '--interval:appended_partition_2:all::', '-no-emul-boot'],
    ...['-append_partition', '2', '0xef', esp, tree],
  ])
  return iso
}
