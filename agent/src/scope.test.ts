import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDataFolder } from './data-folder.ts'
import { ownScope } from './scope.ts'

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'lodge-scope-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return join(made, 'agent')
}

test('two agents on one machine have distinct scopes, and keep them', async () => {
  const [one, other] = [await folder(), await folder()]
  const scope = await ownScope(one)
  expect(scope).toMatch(/^[0-9a-f]{8}$/)
  expect(await ownScope(one)).toBe(scope)
  expect(await ownScope(other)).not.toBe(scope)
})

test('an agent from before scopes were generated still finds its own workloads', async () => {
  const data = await folder()
  await openDataFolder(data)
  await writeFile(join(data, 'journal.db'), '')
  expect(await ownScope(data)).toBe('default')
  await rm(join(data, 'journal.db'))
  expect(await ownScope(data)).toBe('default')
})
