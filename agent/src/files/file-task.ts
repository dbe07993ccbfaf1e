import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import type { Progress } from '@lodge/driver/driver.ts'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import { FileProblem, FileWork, FileWorkDone } from '@lodge/shared/files.ts'
import { z } from 'zod'
import { askHelper } from './ask-helper.ts'
import { pull } from './pull.ts'
import { FileRefusal } from './refusal.ts'

const Line = z.union([
  z.object({
    progress: z.object({
      percent: z.number().nullable(),
      entries: z.number(),
      bytes: z.number(),
    }),
  }),
  z.object({ done: FileWorkDone }),
  z.object({ refused: FileProblem.extend({ cause: z.string().optional() }) }),
])

export interface FileTask {
  readonly taskId: string
  readonly document: string
  /** Opens a connection to the file service of the server. */
  readonly connect: () => Promise<Duplex>
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
  /** Which addresses may be downloaded from. */
  readonly egress: () => Promise<EgressPolicy>
}

const DETAILS = {
  archive: 'Packing',
  extract: 'Unpacking',
  copy: 'Copying',
  delete: 'Deleting',
} as const

/**
 * Does long work on files in the helper of the server. The same task id never has two effects.
 * @throws {FileRefusal}
 */
export async function runFileTask(task: FileTask): Promise<FileWorkDone> {
  const work = parsed(task.document)
  const socket = await task.connect()
  const cancel = () => socket.destroy()
  task.signal.addEventListener('abort', cancel, { once: true })
  try {
    task.signal.throwIfAborted()
    if (work.do === 'pull') return await pull(socket, work, task)
    return await inHelper(socket, work, task)
  } catch (error) {
    task.signal.throwIfAborted()
    throw error
  } finally {
    task.signal.removeEventListener('abort', cancel)
    socket.destroy()
  }
}

async function inHelper(
  socket: Duplex,
  work: Exclude<FileWork, { do: 'pull' }>,
  { taskId, onProgress }: FileTask,
): Promise<FileWorkDone> {
  const response = await askHelper(socket, `/v1/tasks/${taskId}`, JSON.stringify(work))
  for await (const text of createInterface({ input: response })) {
    const line = Line.parse(JSON.parse(text))
    if ('done' in line) return line.done
    if ('refused' in line) {
      const { code, detail, cause } = line.refused
      throw new FileRefusal(code, detail, { cause })
    }
    const { percent, bytes } = line.progress
    onProgress({
      step: 'copy',
      percent,
      detail: DETAILS[work.do],
      bytes: { done: bytes, total: null },
    })
  }
  throw new FileRefusal('file_service_failed', 'The file service of the server has ended.')
}

function parsed(document: string): FileWork {
  let value: unknown
  try {
    value = JSON.parse(document)
  } catch {
    value = undefined
  }
  const work = FileWork.safeParse(value)
  if (work.success) return work.data
  const issue = work.error.issues[0]
  throw new FileRefusal(
    'invalid_file_request',
    `The node cannot use this task: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}
