import { readFile } from 'node:fs/promises'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** Names under which distributions run QEMU. */
const NAMES = ['libvirt-qemu', 'qemu']

/** The user that libvirt runs QEMU as. Throws when the machine has none. */
export async function qemuUser(): Promise<SystemUser> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of NAMES) {
    const own = lines.find(([user]) => user === name)
    if (own) return { uid: Number(own[2]), gid: Number(own[3]) }
  }
  throw new Error('This machine has no user for QEMU: libvirt is not installed.')
}
