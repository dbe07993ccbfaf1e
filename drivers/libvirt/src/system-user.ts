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

/**
 * Distributions name their users differently. Where there is a group of the same name libvirt uses that
 * and not the user's first one, which may be `kvm`.
 */
async function firstUser(names: readonly string[]): Promise<SystemUser | null> {
  const [users, groups] = [await linesOf('/etc/passwd'), await linesOf('/etc/group')]
  for (const name of names) {
    const user = users.find(([one]) => one === name)
    const group = groups.find(([one]) => one === name)
    if (user) return { uid: Number(user[2]), gid: Number(group?.[2] ?? user[3]) }
  }
  return null
}

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8')).split('\n').map((line) => line.split(':'))
