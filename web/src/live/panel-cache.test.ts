import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { PanelCache } from './panel-cache.ts'
import { liveRows } from './rows.ts'

const ONE = 'GET /api/servers/{id}'
const row = (revision: number) => ({ id: 'a', revision })

/**
 * A page that shows one server; its first request is in flight, with a response as old as the
 * request.
 */
function shown() {
  const client = new PanelCache()
  const asked: PromiseWithResolvers<unknown>[] = []
  const observer = new QueryObserver(client, {
    queryKey: [ONE, { params: { id: 'a' } }],
    queryFn: () => {
      const answer = Promise.withResolvers<unknown>()
      asked.push(answer)
      return answer.promise
    },
  })
  const leave = observer.subscribe(() => undefined)
  return { client, asked, leave, data: () => observer.getCurrentResult().data }
}

test('a response that was in flight during a change is fetched again', async () => {
  const { client, asked, leave, data } = shown()
  for (let events = 0; events < 3; events++) void client.invalidateQueries({ queryKey: [ONE] })
  expect(asked).toHaveLength(1)
  asked[0]?.resolve('old')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve('new')
  await expect.poll(data).toBe('new')
  expect(asked).toHaveLength(2)
  leave()
})

test('a row that arrives before the first response is not lost', async () => {
  const { client, asked, leave, data } = shown()
  liveRows<ReturnType<typeof row>>('GET /api/servers', ONE).put(client, row(2))
  asked[0]?.resolve(row(1))
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve(row(2))
  await expect.poll(data).toEqual(row(2))
  leave()
})

test('data that is not invalidated is fetched once', async () => {
  const { client, asked, leave, data } = shown()
  await client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
  asked[0]?.resolve('first')
  await expect.poll(data).toBe('first')
  expect(asked).toHaveLength(1)
  leave()
})
