import { dirname } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { qemuUser, type SystemUser } from './system-user.ts'

/**
 * The first folder on the way to `folder` that QEMU's user may not enter, or null. It is tried as that
 * user, so that whatever decides about it on this machine has its say. Throws when there is no such user.
 */
export async function closedFolder(folder: string): Promise<string | null> {
  const user = await qemuUser()
  if (await mayEnter(user, folder)) return null
  for (const one of wayTo(folder)) if (!(await mayEnter(user, one))) return one
  return null
}

async function mayEnter({ uid, gid }: SystemUser, folder: string): Promise<boolean> {
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--']
  const { code, output } = await runProgram('setpriv', [...as, 'stat', '--', `${folder}/.`])
  if (code === 0) return true
  // What is not there yet is made open.
  return !/permission denied/i.test(output)
}

/** `/a/b` is `/`, `/a`, `/a/b`. */
function wayTo(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [...wayTo(above), folder]
}
