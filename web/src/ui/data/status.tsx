import type { JobState } from '@lodge/shared/jobs.ts'
import type { NodeState } from '@lodge/shared/nodes.ts'
import type { Server, ServerStatus } from '@lodge/shared/servers.ts'
import type { Tone } from '@lodge/shared/theme/tokens.ts'
import Ban from 'lucide-react/icons/ban'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CirclePause from 'lucide-react/icons/circle-pause'
import CirclePlay from 'lucide-react/icons/circle-play'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import CircleStop from 'lucide-react/icons/circle-stop'
import Clock from 'lucide-react/icons/clock'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import type { ComponentType, ReactNode } from 'react'
import tones from '../page/tone.module.css'
import { entryOf } from './known.ts'
import styles from './status.module.css'
import { t } from './words.ts'

interface Look {
  readonly tone: Tone
  readonly word: () => string
  readonly icon: ComponentType<{ 'aria-hidden'?: boolean }>
  readonly spins?: boolean
}

const busy = (word: () => string, tone: Tone = 'pend'): Look => ({
  tone,
  word,
  icon: LoaderCircle,
  spins: true,
})

const SERVER: Readonly<Record<ServerStatus, Look>> = {
  running: { tone: 'ok', word: () => t.running, icon: CirclePlay },
  stopped: { tone: 'idle', word: () => t.stopped, icon: CircleStop },
  crashed: { tone: 'err', word: () => t.crashed, icon: CircleAlert },
  install_failed: { tone: 'err', word: () => t.installFailed, icon: CircleAlert },
  ended: { tone: 'idle', word: () => t.ended, icon: CircleStop },
  suspended: { tone: 'warn', word: () => t.suspended, icon: CirclePause },
  deletion_scheduled: { tone: 'warn', word: () => t.deletionScheduled, icon: CirclePause },
  unknown: { tone: 'warn', word: () => t.unknown, icon: CircleHelp },
  installing: busy(() => t.installing),
  starting: busy(() => t.starting, 'info'),
  stopping: busy(() => t.stopping, 'info'),
  restarting: busy(() => t.restarting, 'warn'),
  restoring: busy(() => t.restoring),
  snapshotting: busy(() => t.snapshotting),
  migrating: busy(() => t.migrating),
  deleting: busy(() => t.deleting, 'err'),
}

const JOB: Readonly<Record<JobState, Look>> = {
  waiting: { tone: 'idle', word: () => t.jobWaiting, icon: Clock },
  running: busy(() => t.jobRunning, 'info'),
  done: { tone: 'ok', word: () => t.jobDone, icon: CircleCheck },
  failed: { tone: 'err', word: () => t.jobFailed, icon: CircleAlert },
  superseded: { tone: 'idle', word: () => t.jobSuperseded, icon: Ban },
  cancelled: { tone: 'idle', word: () => t.jobCancelled, icon: Ban },
}

const NODE: Readonly<Record<NodeState, Look>> = {
  online: { tone: 'ok', word: () => t.nodeOnline, icon: CircleCheck },
  offline: { tone: 'err', word: () => t.nodeOffline, icon: CircleAlert },
  cordoned: { tone: 'warn', word: () => t.nodeCordoned, icon: CirclePause },
  enrolling: busy(() => t.nodeEnrolling, 'info'),
}

interface PillProps {
  tone: Tone
  icon?: ReactNode
  spins?: boolean
  title?: string
  children: ReactNode
}

/** A coloured label. The colour always comes with a word. */
export function Pill({ tone, icon, spins, title, children }: PillProps) {
  return (
    <span
      data-pill
      title={title}
      className={`${styles.pill} ${tones[tone]} ${spins ? styles.spin : ''}`}
    >
      {icon}
      {children}
    </span>
  )
}

function LookPill({ look }: { look: Look }) {
  const Icon = look.icon
  return (
    <Pill tone={look.tone} icon={<Icon aria-hidden />} spins={look.spins ?? false}>
      {look.word()}
    </Pill>
  )
}

const lookIn = <K extends string>(looks: Readonly<Record<K, Look>>, value: K): Look =>
  entryOf(looks, value, (word) => ({ tone: 'idle', word: () => word, icon: CircleHelp }))

export const serverTone = (status: ServerStatus): Tone => lookIn(SERVER, status).tone
/** The state that a node last reported of a server, for use in a sentence: `running`. */
export const observedWord = (state: Server['observedState']): string => t.observed({ state })
export const serverWord = (status: ServerStatus): string => lookIn(SERVER, status).word()

export const ServerPill = ({ status }: { status: ServerStatus }) => (
  <LookPill look={lookIn(SERVER, status)} />
)
export const JobPill = ({ state }: { state: JobState }) => <LookPill look={lookIn(JOB, state)} />
export const nodeWord = (state: NodeState): string => lookIn(NODE, state).word()
export const NodePill = ({ state }: { state: NodeState }) => <LookPill look={lookIn(NODE, state)} />
