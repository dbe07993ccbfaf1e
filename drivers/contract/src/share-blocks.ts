import { constants, copyFile, rm } from 'node:fs/promises'

/**
 * Tries to clone a file with shared blocks (reflink), which takes no time. Returns whether the file
 * system supports it.
 */
export async function shareBlocks(from: string, to: string): Promise<boolean> {
  await rm(to, { force: true })
  return copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  )
}
