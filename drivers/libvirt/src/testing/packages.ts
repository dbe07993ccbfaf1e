import { createHash } from 'node:crypto'
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from './must.ts'

/** Downloads Debian packages and unpacks them below `root`, without touching the system. */
export async function unpackPackages(names: readonly string[], root: string): Promise<void> {
  const debs = `${root}.debs`
  for (const folder of [root, debs]) await mkdir(folder, { recursive: true })
  await must('apt-get', ['download', '-q', ...names], { cwd: debs })
  for (const deb of await readdir(debs)) await must('dpkg', ['-x', join(debs, deb), root])
  await rm(debs, { recursive: true })
}

/** A folder with the files of these packages, shared with later tests on this machine. */
export async function unpackedPackages(names: readonly string[]): Promise<string> {
  const key = createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `lodge-test-packages-${key}`)
  const there = await access(folder).then(
    () => true,
    () => false,
  )
  if (there) return folder
  const work = `${folder}.${process.pid}`
  try {
    await unpackPackages(names, work)
    // Another test may have been faster; its files are identical.
    await rename(work, folder).catch(() => access(folder))
  } finally {
    for (const path of [work, `${work}.debs`]) await rm(path, { recursive: true, force: true })
  }
  return folder
}
