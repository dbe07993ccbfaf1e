import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { AgentManifest } from '@lodge/shared/agent-update.ts'

const LINE = /^([0-9a-f]{64}) {2}(\S+)$/

export const ARCHITECTURES = ['x64', 'arm64'] as const

/**
 * The agent that this installation hands out for an architecture; undefined if it has none. It is
 * read anew each time, because a restart of the control plane may write it meanwhile.
 */
export async function agentProgram(
  folder: string,
  architecture: string,
): Promise<AgentManifest | undefined> {
  try {
    const list = await readFile(path.join(folder, `agent/files-linux-${architecture}`), 'utf8')
    const version = await readFile(path.join(folder, 'agent/version'), 'utf8')
    const files = list.split('\n').flatMap((line) => {
      const [, sha256, file] = LINE.exec(line) ?? []
      return sha256 && file ? [{ path: file, sha256 }] : []
    })
    const build = createHash('sha256').update(list).digest('hex')
    // The runtime of this process is the only one there is.
    const runtime = architecture === process.arch ? await runtimeDigest() : null
    const manifest = { version: version.trim(), architecture, build, files, runtime }
    return AgentManifest.safeParse(manifest).data
  } catch {
    return undefined
  }
}

let runtime: Promise<string> | undefined

function runtimeDigest(): Promise<string> {
  runtime ??= digestOf(process.execPath)
  return runtime
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  await pipeline(createReadStream(file), digest)
  return digest.digest('hex')
}
