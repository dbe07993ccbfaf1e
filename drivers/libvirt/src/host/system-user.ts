import { readFile } from 'node:fs/promises'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/** The user that libvirt runs QEMU as. Throws when there is none. */
export async function qemuUser(): Promise<SystemUser> {
  const user = await firstUser(['libvirt-qemu', 'qemu'])
  if (user) return user
  throw new Error('This machine has no user for QEMU: libvirt is not installed.')
}

/** The user that owns TPM state. */
export async function tpmUser(): Promise<SystemUser> {
  return (await firstUser(['tss', 'swtpm'])) ?? { uid: 0, gid: 0 }
}

/**
 * Distributions use different user names. If a group of the same name exists, libvirt uses it
 * instead of the user's primary group, which may be `kvm`.
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
