import { expect, test } from 'vitest'
import { bounded, type NameLookup } from './lookups.ts'

const counted = (answer: (name: string) => Promise<unknown>) => {
  const asked: string[] = []
  const lookup: NameLookup = (name, type) => {
    asked.push(`${type} ${name}`)
    return answer(name)
  }
  return { asked, lookup }
}

test('the same is asked once, and no more than allowed', async () => {
  const { asked, lookup } = counted(async (name) => [[name]])
  const names = bounded(lookup, { mostLookups: 2, withinMs: 10_000 })
  const [one, again] = await Promise.all([names('a.test', 'TXT'), names('A.test', 'TXT')])
  expect(again).toBe(one)
  await names('a.test', 'A')
  await expect(names('b.test', 'TXT')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(asked).toEqual(['TXT a.test', 'A a.test'])
})

test('a name that does not answer, and every one after it, ends in time', async () => {
  const { asked, lookup } = counted(() => new Promise(() => {}))
  const names = bounded(lookup, { mostLookups: 10, withinMs: 50 })
  for (const name of ['a.test', 'b.test'])
    await expect(names(name, 'TXT')).rejects.toMatchObject({ code: 'ETIMEOUT' })
  expect(asked).toEqual(['TXT a.test'])
})

test('what an answer says is wrong is passed on', async () => {
  const gone = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  const { lookup } = counted(() => Promise.reject(gone))
  await expect(bounded(lookup, { mostLookups: 10, withinMs: 1000 })('a.test', 'TXT')).rejects.toBe(
    gone,
  )
})
