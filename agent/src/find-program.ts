import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Returns the full path of a system program, or undefined when it is not installed. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of FOLDERS) {
    const path = join(folder, name)
    const usable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (usable) return path
  }
  return undefined
}
