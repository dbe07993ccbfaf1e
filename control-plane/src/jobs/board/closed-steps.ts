import type { JobRow } from './tables.ts'

/** A finished step keeps its final detail but not its progress. */
export const doneStep = (step: JobRow['steps'][number]): JobRow['steps'][number] => ({
  ...step,
  state: 'done',
  percent: 100,
  detail: step.percent === 100 ? step.detail : null,
})

/** The steps of an ended job, with none left waiting or running. */
export function closedSteps(
  job: JobRow,
  state: 'done' | 'failed' | 'superseded' | 'cancelled',
): JobRow['steps'] {
  let broken = false
  return job.steps.map((step) => {
    if (step.state === 'done') return step
    if (state === 'done') return doneStep(step)
    const failedHere = state === 'failed' && !broken
    broken = true
    return { ...step, state: failedHere ? 'failed' : 'skipped' }
  })
}
