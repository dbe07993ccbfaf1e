import { dirname } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { qemuUser, type SystemUser } from './system-user.ts'

/**
 * The first folder on the path to `folder` that QEMU's user cannot enter, or null. Tested as that
 * user, so that every access control on this machine counts. Throws when there is no such user.
 */
export async function closedFolder(folder: string): Promise<string | null> {
  const user = await qemuUser()
  if (await mayEnter(user, folder)) return null
  for (const one of pathPrefixes(folder)) if (!(await mayEnter(user, one))) return one
  return null
}

async function mayEnter({ uid, gid }: SystemUser, folder: string): Promise<boolean> {
  const as = [`--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--']
  const { code, output } = await runProgram('setpriv', [...as, 'stat', '--', `${folder}/.`])
  if (code === 0) return true
  // A missing folder will be created accessible.
  return !/permission denied/i.test(output)
}

/** `/a/b` yields `/`, `/a`, `/a/b`. */
function pathPrefixes(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [...pathPrefixes(above), folder]
}
