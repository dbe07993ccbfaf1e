import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Everything there is to know of a tree, by path as it is on the disk. */
export async function treeOf(root: string): Promise<Map<string, unknown>> {
  const tree = new Map<string, unknown>()
  const firstOf = new Map<bigint, string>()
  async function walk(folder: Buffer, name: string): Promise<void> {
    const facts = await lstat(folder, { bigint: true })
    const { mode, uid, gid, mtimeNs, size, nlink, ino } = facts
    const common = { mode, uid, gid, mtimeNs }
    if (facts.isDirectory()) {
      tree.set(name, common)
      const names = await readdir(folder, { encoding: 'buffer' })
      names.sort(Buffer.compare)
      for (const one of names)
        await walk(
          Buffer.concat([folder, Buffer.from('/'), one]),
          `${name}/${one.toString('latin1')}`,
        )
      return
    }
    if (facts.isSymbolicLink()) {
      tree.set(name, { ...common, target: await readlink(folder) })
      return
    }
    const same = firstOf.get(ino) ?? name
    firstOf.set(ino, same)
    const hash = createHash('sha256')
    await pipeline(createReadStream(folder), hash)
    tree.set(name, { ...common, size, nlink, same, hash: hash.digest('hex') })
  }
  await walk(Buffer.from(root), '')
  return tree
}
