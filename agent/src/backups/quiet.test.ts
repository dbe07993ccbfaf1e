import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Journal } from '../journal/journal.ts'
import { Quiet } from './quiet.ts'

const COMMANDS = { before: ['save-off', 'save-all'], after: ['save-on'], settleSeconds: 0 }
const { signal } = new AbortController()

let folder: string
let typed: string[]
let run: number | null
/** Lines that the console refuses. */
let refused: string[]
const open: { close(): void }[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodge-quiet-'))
  typed = []
  refused = []
  run = 7
})
const end = () => {
  for (const one of open.splice(0)) one.close()
}
afterEach(async () => {
  end()
  await rm(folder, { recursive: true, force: true })
})

/** As an agent that has just started: it knows what is in the journal. */
function started(): Quiet {
  end()
  const journal = new Journal({
    file: join(folder, 'journal.db'),
    nowMs: Date.now,
    setAside: () => undefined,
  })
  const quiet = new Quiet({
    journal,
    log: pino({ level: 'silent' }),
    runOf: () => run,
    againMs: 10,
    async type(_, line) {
      if (refused.includes(line)) throw new Error('the console does not answer')
      typed.push(line)
    },
  })
  open.push(quiet, journal)
  return quiet
}

test('commands are typed before and after', async () => {
  const quiet = started()
  await quiet.begin('one', 7, COMMANDS, signal)
  expect(typed).toEqual(['save-off', 'save-all'])
  await quiet.end('one')
  await quiet.end('one')
  expect(typed).toEqual(['save-off', 'save-all', 'save-on'])
})

test('what comes after is typed when a command before fails', async () => {
  refused = ['save-all']
  const quiet = started()
  await expect(quiet.begin('one', 7, COMMANDS, signal)).rejects.toThrow('does not answer')
  await quiet.end('one')
  expect(typed).toEqual(['save-off', 'save-on'])
})

test('the next agent types what a killed one owes, once', async () => {
  await started().begin('one', 7, COMMANDS, signal)
  const next = started()
  expect(next.owing()).toEqual(['one'])
  await Promise.all([next.end('one'), next.end('one')])
  expect(typed).toEqual(['save-off', 'save-all', 'save-on'])
  expect(started().owing()).toEqual([])
})

test('what a console does not take is typed again until it does', async () => {
  refused = ['save-on']
  const quiet = started()
  await quiet.begin('one', 7, COMMANDS, signal)
  await quiet.end('one')
  expect(quiet.owing()).toEqual(['one'])
  refused = []
  await expect.poll(() => typed).toEqual(['save-off', 'save-all', 'save-on'])
  expect(quiet.owing()).toEqual([])
})

test('nothing is typed to a server that has started anew', async () => {
  const quiet = started()
  await quiet.begin('one', 7, COMMANDS, signal)
  run = 8
  await quiet.end('one')
  expect(typed).toEqual(['save-off', 'save-all'])
  expect(quiet.owing()).toEqual([])
})
