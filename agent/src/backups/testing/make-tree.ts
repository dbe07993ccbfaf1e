import { randomBytes } from 'node:crypto'
import { chmod, chown, link, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** 1,500 entries: links, hard links, holes, empty folders, modes, times and names in many scripts. */
export async function makeTree(folder: string): Promise<void> {
  const scripts = [
    'world',
    'monde é',
    'мир',
    '世界',
    'עולם',
    'العالم',
    'दुनिया',
    '🌍',
    ' leading',
    '-dash',
    'a\nb',
    '*[x]?\\',
  ]
  for (const [index, name] of scripts.entries()) {
    const inside = join(folder, name)
    await mkdir(inside)
    for (let file = 0; file < 120; file++) {
      const path = join(inside, `${name} ${file}`)
      await writeFile(path, randomBytes(file * 7))
      await chmod(path, [0o644, 0o600, 0o755, 0o000, 0o4755][file % 5] ?? 0o644)
      await utimes(path, 1_000_000_000 + file, 1_200_000_000 + file + 0.25)
    }
    await mkdir(join(inside, 'empty'))
    await chmod(join(inside, 'empty'), 0o1770)
    await symlink(`../${scripts[0]}/${scripts[0]} 1`, join(inside, 'link'))
    await symlink('nowhere', join(inside, 'dangling'))
    await link(join(inside, `${name} 3`), join(inside, 'same'))
    await chown(join(inside, 'same'), 5_000 + index, 5_000 + index)
  }
  await writeFile(
    Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0xfe])]),
    'no UTF-8',
  )
  await writeFile(join(folder, 'sparse'), 'end')
  await truncate(join(folder, 'sparse'), 20_000_000)
  await writeFile(join(folder, 'closed'), 'nobody reads this', { mode: 0 })
}
