import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { must, until } from './must.ts'
import { folderOf, WITH_US } from './street.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const PORT = 9418

/** Serves the committed tree as a repository to clone from. */
export async function serveRepository(
  address: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  await using open = new AsyncDisposableStack()
  const folder = await folderOf('repository')
  open.defer(() => rm(folder, { recursive: true, force: true }))
  await must('git', 'clone', '--quiet', '--bare', root, path.join(folder, 'lodge'))
  const [file, ...withUs] = WITH_US
  const daemon = spawn(
    file,
    [
      ...withUs,
      path.join((await must('git', '--exec-path')).trim(), 'git-daemon'),
      '--reuseaddr',
      `--listen=${address}`,
      `--port=${PORT}`,
      `--base-path=${folder}`,
      '--export-all',
    ],
    { stdio: 'ignore' },
  )
  open.defer(async () => {
    const ended = once(daemon, 'exit')
    daemon.kill()
    await ended
  })
  await until(() => answers(address))
  const kept = open.move()
  return {
    url: `git://${address}/lodge`,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function answers(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = net.connect({ host, port: PORT })
    call.once('connect', () => resolve(true))
    call.once('error', () => resolve(false))
    call.once('connect', () => call.destroy())
  })
}
