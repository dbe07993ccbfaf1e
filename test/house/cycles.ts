import type { SourceFile } from './source-files.ts'

/**
 * Groups of files that import each other in a cycle, types included; each group is sorted to show
 * what to untangle. (Tarjan's strongly connected components, 1972.)
 */
export function cyclesAmong(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const imports = new Map(
    files.map(({ path, imports }) => [path, imports.map(({ target }) => target ?? '')]),
  )
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []

  const visit = (file: string): number => {
    const number = order.size
    order.set(file, number)
    lowest.set(file, number)
    open.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue
      const seen = order.get(target)
      const reaches = seen === undefined ? visit(target) : open.includes(target) ? seen : number
      lowest.set(file, Math.min(lowest.get(file) ?? number, reaches))
    }
    const low = lowest.get(file) ?? number
    if (low === number) {
      const group = open.splice(open.indexOf(file))
      if (group.length > 1 || imports.get(file)?.includes(file)) found.push(group.sort())
    }
    return low
  }
  for (const { path } of files) if (!order.has(path)) visit(path)
  return found
}
