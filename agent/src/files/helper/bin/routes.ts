import { BinDelete, BinPick, BinSweep } from '@lodge/shared/deleted-files.ts'
import { MAX_LIST } from '@lodge/shared/files.ts'
import type { Asker } from '../place.ts'
import { type Ask, accessOf, answer, bodyAs, type Handler, invalidRequest } from '../requests.ts'
import type { Bin } from './bin.ts'
import { listBin } from './list-bin.ts'
import { dropPicked, empty, restore } from './restore.ts'

type On = (method: string, path: string, run: Handler['run']) => Handler

/** Requests about the deleted files of the server. */
export const binRoutes = (bin: Bin, on: On, askerOf: (ask: Ask) => Asker): Handler[] => [
  on('GET', 'bin', (ask) => {
    const { query, response } = ask
    const limit = Number(query.get('limit') ?? MAX_LIST)
    if (!Number.isInteger(limit) || limit < 1) throw invalidRequest('The limit is not possible.')
    answer(response, 200, listBin(bin, askerOf(ask), query.get('after'), limit))
  }),
  on('POST', 'bin', async (ask) => {
    const asker = askerOf(ask)
    answer(ask.response, 200, await bin.put(asker, await bodyAs(ask.request, BinDelete)))
  }),
  on('POST', 'bin/restore', async (ask) => {
    const asker = askerOf(ask)
    const { ids } = await bodyAs(ask.request, BinPick)
    answer(ask.response, 200, restore(bin, asker, ids))
  }),
  on('POST', 'bin/delete', async (ask) => {
    const asker = askerOf(ask)
    const { ids } = await bodyAs(ask.request, BinPick)
    answer(ask.response, 200, await dropPicked(bin, asker, ids))
  }),
  on('POST', 'bin/empty', async (ask) => {
    answer(ask.response, 200, await empty(bin, askerOf(ask)))
  }),
  on('POST', 'bin/sweep', async (ask) => {
    accessOf(ask.request)
    await bin.sweep((await bodyAs(ask.request, BinSweep)).needBytes)
    ask.response.writeHead(204).end()
  }),
]
