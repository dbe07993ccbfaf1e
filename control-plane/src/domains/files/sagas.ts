import { FileWork, FileWorkDone } from '@lodge/shared/files.ts'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { runOnNode } from '../../jobs/sagas/run-on-node.ts'
import { Permanent, type StepTools, saga } from '../../jobs/sagas/saga.ts'
import { findStep } from '../../jobs/sagas/saga-store.ts'
import { parse } from './node-files.ts'
import { reachNow } from './reach-now.ts'

/** The caller's rights are not part of the input: they are read again when the work begins. */
export type FileTask = WithoutRights<FileWork>
type WithoutRights<Work> = Work extends unknown ? Omit<Work, 'rules' | 'may'> : never

const About = z.object({
  serverId: z.uuid(),
  nodeId: z.uuid(),
  userId: z.uuid(),
  task: z.custom<FileTask>((task) => FileWork.safeParse({ ...Object(task), ...NO_RIGHTS }).success),
})
type About = z.infer<typeof About>
const NO_RIGHTS = { rules: [], may: [] }

/** The result of a finished job. */
const Done = z.object({
  bytes: z.int().min(0),
  /** What was left out and why. */
  note: z.string().nullable(),
})
export type FileJobDone = z.infer<typeof Done>

/** One step each: the node does all of the work or, if it fails or is cancelled, none. */
const fileSaga = (name: string, step: string) =>
  saga(name, About).step(step, { do: (about, tools) => work(about, tools) })

export const archiveSaga = fileSaga('files.archive', 'Write the archive')
export const extractSaga = fileSaga('files.extract', 'Extract the files')
export const copySaga = fileSaga('files.copy', 'Copy the files')
export const deleteSaga = fileSaga('files.delete', 'Delete the files')
export const pullSaga = fileSaga('files.pull', 'Fetch the file')
export const fileSagas = [archiveSaga, extractSaga, copySaga, deleteSaga, pullSaga]

/** The result of a job, for as long as the job is kept. */
export async function doneBy(
  db: Db,
  { steps }: typeof archiveSaga,
  jobId: string,
): Promise<FileJobDone | undefined> {
  const made = await findStep(db, jobId, steps[0]?.name ?? '')
  return made && Done.parse(made)
}

async function work(
  { serverId, nodeId, userId, task }: About,
  tools: StepTools,
): Promise<FileJobDone> {
  const reach = await reachNow(tools.ctx.db, serverId, userId)
  if (typeof reach === 'string') throw new Permanent('permission_required', reach)
  const document = JSON.stringify({
    ...task,
    rules: reach.rules,
    may: [...reach.may],
  } satisfies FileWork)
  const done = await runOnNode(tools, {
    nodeId,
    serverId,
    name: task.do,
    work: { $case: 'fileWork', value: { document } },
  })
  if (done.output?.$case !== 'fileWork') return { bytes: 0, note: null }
  const { bytes, skipped, skippedCount } = parse(FileWorkDone, done.output.value.document)
  const note = skippedCount > 0 ? leftOut(skippedCount, skipped) : null
  if (note !== null) await tools.progress(100, note)
  return { bytes, note }
}

function leftOut(count: number, [first]: FileWorkDone['skipped']): string {
  if (!first) return `${count} entries were left out`
  const [path, why] = [first.path.slice(0, 150), first.why.slice(0, 150)]
  if (count === 1) return `1 entry was left out: ${path}: ${why}`
  return `${count} entries were left out, such as ${path}: ${why}`
}
