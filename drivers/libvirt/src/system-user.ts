import { readFile } from 'node:fs/promises'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** The user that libvirt runs QEMU as. Throws when the machine has none. */
export async function qemuUser(): Promise<SystemUser> {
  const user = await firstUser(['libvirt-qemu', 'qemu'])
  if (user) return user
  throw new Error('This machine has no user for QEMU: libvirt is not installed.')
}

/** The user that owns TPM states. */
export async function tpmUser(): Promise<SystemUser> {
  return (await firstUser(['tss', 'swtpm'])) ?? { uid: 0, gid: 0 }
}

/** Distributions name their users differently. */
async function firstUser(names: readonly string[]): Promise<SystemUser | null> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of names) {
    const own = lines.find(([user]) => user === name)
    if (own) return { uid: Number(own[2]), gid: Number(own[3]) }
  }
  return null
}
