import type { Job, JobStep } from '@lodge/shared/jobs.ts'
import Circle from 'lucide-react/icons/circle'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleMinus from 'lucide-react/icons/circle-minus'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import { said, why } from '../../panel/said.ts'
import { entryOf } from '../../ui/data/known.ts'
import { Hidden } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { Output } from '../../ui/panes/output.tsx'
import styles from './jobs.module.css'
import { t } from './words.ts'

const ICONS = {
  waiting: Circle,
  running: LoaderCircle,
  done: CircleCheck,
  failed: CircleAlert,
  skipped: CircleMinus,
}

/** The steps of a job and the end of its log. */
export function JobSteps({ job }: { job: Job }) {
  return (
    <div className={styles.details}>
      <ol className={styles.steps}>
        {job.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      {job.logTail.length > 0 ? (
        <Output label={t.log({ job: said(job.title) })} text={job.logTail.join('\n')} most={220} />
      ) : null}
    </div>
  )
}

function howFar({ percent, detail: given }: JobStep): string {
  const detail = why(given)
  if (percent === null) return detail ?? ''
  const rounded = Math.round(percent)
  return detail === undefined
    ? t.percent({ percent: rounded })
    : t.percentOf({ percent: rounded, detail })
}

function Step({ step }: { step: JobStep }) {
  const Icon = entryOf(ICONS, step.state, () => Circle)
  return (
    <li className={styles[step.state]}>
      <Icon aria-hidden />
      {rich(
        t.step({
          state: step.state,
          name: said(step.name),
          hidden: (text) => <Hidden>{text}</Hidden>,
          step: (text) => <span>{text}</span>,
        }),
      )}
      <small>{howFar(step)}</small>
    </li>
  )
}
