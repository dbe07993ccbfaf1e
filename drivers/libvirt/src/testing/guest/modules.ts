import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Kernel modules and their dependencies, in load order. Built-in ones are left out. */
export async function modulesWithNeeds(
  folder: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const files = new Map<string, string>()
  for (const name of await readdir(folder, { recursive: true })) {
    if (name.endsWith('.ko')) files.set(plain(basename(name, '.ko')), join(folder, name))
  }
  const order: string[] = []
  const visited = new Set<string>()
  async function visit(name: string): Promise<void> {
    const file = files.get(plain(name))
    if (visited.has(plain(name)) || file === undefined) return
    visited.add(plain(name))
    const text = (await readFile(file)).toString('latin1')
    const needs = /\0depends=([^\0]*)\0/.exec(text)?.[1] ?? ''
    for (const need of needs.split(',').filter((word) => word !== '')) await visit(need)
    order.push(file)
  }
  for (const name of wanted) await visit(name)
  return order
}

/** The kernel treats - and _ alike. */
function plain(name: string): string {
  return name.replaceAll('-', '_')
}
