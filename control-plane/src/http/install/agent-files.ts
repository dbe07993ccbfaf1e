import { readFileSync } from 'node:fs'
import path from 'node:path'

const LIST = /^files-linux-(x64|arm64)$/
/** `<SHA-256>  <path>`, the format of sha256sum. */
const LINE = /^[0-9a-f]{64} {2}(\S+)$/

/**
 * The path of a file of the bundled agent in `folder` that a new node may download:
 * `files-linux-<architecture>` lists its files with their SHA-256, and `file/<path>` is one of
 * them. Undefined for anything else, and if this installation has no agent.
 */
export function agentFile(folder: string, name: string): string | undefined {
  if (LIST.test(name)) return listed(folder, name) && path.join(folder, 'agent', name)
  if (!name.startsWith('file/')) return undefined
  const wanted = name.slice('file/'.length)
  const isListed = ['files-linux-x64', 'files-linux-arm64'].some((list) =>
    listed(folder, list)?.includes(wanted),
  )
  return isListed ? path.join(folder, wanted) : undefined
}

function listed(folder: string, list: string): string[] | undefined {
  try {
    const text = readFileSync(path.join(folder, 'agent', list), 'utf8')
    return text.split('\n').flatMap((line) => LINE.exec(line)?.[1] ?? [])
  } catch {
    return undefined
  }
}
