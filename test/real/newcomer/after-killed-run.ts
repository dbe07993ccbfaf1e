import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { must, until } from './must.ts'
import { openStreet } from './street.ts'

const left = async () => [
  ...((await must('ip', 'netns', 'list')).match(/^lgn-\S+/gm) ?? []),
  ...(await readdir(os.tmpdir())).filter((name) => name.startsWith('lodge-newcomer-')),
  ...((await must('iptables', '-w', '-S', 'FORWARD')).match(/.*lgnewcomer.*/g) ?? []),
]

/** Kills a run halfway, and opens the network after it. */
export async function killedRun(): Promise<void> {
  const run = spawn(
    process.execPath,
    [fileURLToPath(new URL('./killed-run.ts', import.meta.url))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const program = String((await once(run.stdout, 'data'))[0]).trim()
  await expect(openStreet()).rejects.toThrow('walks the newcomer')
  run.kill('SIGKILL')
  await once(run, 'exit')
  // Nothing that it started is still running.
  await until(() => !existsSync(`/proc/${program}`))
  expect(await left()).not.toEqual([])
  const street = await openStreet()
  expect((await left()).filter((what) => !what.startsWith('-A'))).toEqual([])
  await street[Symbol.asyncDispose]()
  expect(await left()).toEqual([])
}
