import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock.ts'

let folder: string
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-folder-'))
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Another process that holds the lock until it is killed. */
async function holder(options: { shared?: boolean } = {}): Promise<ChildProcess> {
  const program = `
    import { lockFolder } from '${import.meta.dirname}/folder-lock.ts'
    await lockFolder('${folder}', 'start', ${JSON.stringify({ variable: 'LODGE_DATA', ...options })})
    process.send('held')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  await once(child, 'message')
  return child
}

test('a folder in use by another process is refused with the process and what to do', async () => {
  const { pid } = await holder()
  const refused = await lockFolder(folder, 'start', { variable: 'LODGE_DATA' }).catch((e) => e)
  expect(refused).toBeInstanceOf(FolderInUse)
  expect(refused.message).toBe(
    `${folder} is in use by another Lodge (process ${pid}). End it first, or choose another folder with LODGE_DATA.`,
  )
  await lockFolder(folder, 'control-plane', { variable: 'LODGE_DATA' })
})

test('several may share a folder, and whoever wants it alone is refused until all are gone', async () => {
  const [first, second] = [await holder({ shared: true }), await holder({ shared: true })]
  const alone = () => lockFolder(folder, 'start', { variable: 'LODGE_DATA' })
  await expect(alone()).rejects.toThrow(FolderInUse)
  first.kill('SIGKILL')
  await once(first, 'exit')
  await expect(alone()).rejects.toThrow(FolderInUse)
  second.kill('SIGKILL')
  await once(second, 'exit')
  await alone()
})

test('a folder that one process has alone is shared with nobody', async () => {
  await holder()
  const shared = lockFolder(folder, 'start', { variable: 'LODGE_DATA', shared: true })
  await expect(shared).rejects.toThrow(FolderInUse)
})

test('kill -9 releases the folder at once', async () => {
  const first = await holder()
  first.kill('SIGKILL')
  await once(first, 'exit')
  await lockFolder(folder, 'start', { variable: 'LODGE_DATA' })
})

test('it waits for a process that is just ending, and reports that once', async () => {
  const first = await holder()
  const messages: string[] = []
  const waiting = (sentence: string) => {
    messages.push(sentence)
    first.kill('SIGKILL')
  }
  await lockFolder(folder, 'start', { variable: 'LODGE_DATA', patienceMs: 60_000, waiting })
  expect(messages).toEqual([expect.stringContaining('waiting up to 60 s for it to end')])
})
