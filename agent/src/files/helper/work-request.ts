import { FileWork } from '@lodge/shared/files.ts'
import { FileRefusal, refusalOf } from '../refusal.ts'
import { Access } from './access.ts'
import type { Quota } from './quota.ts'
import { type Ask, accessOf, answer, bodyAs, invalidRequest, pathOf } from './requests.ts'
import type { Tree } from './tree.ts'
import { doWork } from './work.ts'

const PROGRESS_MS = 200

/** The ids of tasks that a connection is working on. */
const busy = new Set<string>()

function begin(id: string): void {
  if (busy.has(id)) throw new FileRefusal('file_exists', 'This task is already under way.')
  busy.add(id)
}

/** Takes the bytes of a download, which become a file once all of them have arrived. */
export async function receive(
  { tree, quota }: { readonly tree: Tree; readonly quota: Quota },
  { request, response, query, signal }: Ask,
  id: string,
): Promise<void> {
  const asker = { tree, access: accessOf(request) }
  const replace = query.get('replace') === 'true'
  const work = { do: 'receive' as const, to: pathOf(query), replace, body: request }
  begin(id)
  try {
    answer(response, 200, await doWork(asker, quota, id, work, { signal, progress: () => {} }))
  } finally {
    busy.delete(id)
  }
}

/**
 * Long work for the agent: lines of JSON with `progress`, and at last one with `done` or `refused`.
 * Hanging up cancels it.
 */
export async function runWork(
  { tree, quota }: { readonly tree: Tree; readonly quota: Quota },
  { request, response, signal }: Ask,
  id: string,
): Promise<void> {
  const work = await bodyAs(request, FileWork)
  if (work.do === 'pull') throw invalidRequest('The agent downloads by itself.')
  begin(id)
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const say = (line: object) => response.write(`${JSON.stringify(line)}\n`)
  let saidMs = 0
  try {
    const asker = { tree, access: new Access(work.rules, work.may) }
    const done = await doWork(asker, quota, id, work, {
      signal,
      progress(progress) {
        if (Date.now() - saidMs < PROGRESS_MS) return
        saidMs = Date.now()
        say({ progress })
      },
    })
    say({ done })
  } catch (error) {
    if (signal.aborted) return
    const { code, message } = refusalOf(error)
    // The agent logs what is nobody's refusal.
    const cause = code === 'file_service_failed' ? { cause: String(error) } : {}
    say({ refused: { code, detail: message, ...cause } })
  } finally {
    busy.delete(id)
    response.end()
  }
}
