import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  import { anyOf, drawn, shuffled } from ${JSON.stringify(new URL('./chance.ts', import.meta.url).href)}
  console.log(JSON.stringify([drawn(0, 1e9), drawn(3, 4), anyOf(['a', 'b', 'c']), shuffled([1, 2, 3, 4, 5, 6])]))
`
const run = async (seed: string) => {
  const args = ['--input-type=module', '--eval', program]
  const env = { ...process.env, LODGE_SEED: seed }
  return (await promisify(execFile)(process.execPath, args, { env })).stdout
}

test('chance falls the same way for the same seed, and another way for another', async () => {
  const [first, again, other] = await Promise.all([run('1'), run('1'), run('2')])
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(JSON.parse(first)[1]).toBe(3)
  expect(JSON.parse(first)[3].toSorted()).toEqual([1, 2, 3, 4, 5, 6])
})
