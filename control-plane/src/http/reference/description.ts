import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { get } from '../endpoint.ts'

const file = path.resolve(import.meta.dirname, '../../../openapi.json')
let document: Promise<unknown> | undefined

/** The published description: a golden file that a test compares with the declarations. */
export const describeApi = get('/api/openapi.json', {
  summary: 'This description',
  access: { who: 'anyone' },
  reply: z.record(z.string(), z.unknown()),
  handle: async () => {
    document ??= readFile(file, 'utf8').then((text) => JSON.parse(text) as unknown)
    return (await document) as Record<string, unknown>
  },
})
