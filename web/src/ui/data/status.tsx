import type { JobState } from '@lodge/shared/jobs.ts'
import type { NodeState } from '@lodge/shared/nodes.ts'
import type { ServerStatus } from '@lodge/shared/servers.ts'
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
import type { Tone } from '../../theme/tokens.ts'
import tones from '../page/tone.module.css'
import styles from './status.module.css'

interface Look {
  readonly tone: Tone
  readonly word: string
  readonly icon: ComponentType<{ 'aria-hidden'?: boolean }>
  readonly spins?: boolean
}

const busy = (word: string, tone: Tone = 'pend'): Look => ({
  tone,
  word,
  icon: LoaderCircle,
  spins: true,
})

const SERVER: Readonly<Record<ServerStatus, Look>> = {
  running: { tone: 'ok', word: 'Running', icon: CirclePlay },
  stopped: { tone: 'idle', word: 'Stopped', icon: CircleStop },
  crashed: { tone: 'err', word: 'Crashed', icon: CircleAlert },
  install_failed: { tone: 'err', word: 'Installation failed', icon: CircleAlert },
  ended: { tone: 'idle', word: 'Ended', icon: CircleStop },
  suspended: { tone: 'warn', word: 'Suspended', icon: CirclePause },
  deletion_scheduled: { tone: 'warn', word: 'To be deleted', icon: CirclePause },
  unknown: { tone: 'warn', word: 'Unknown', icon: CircleHelp },
  installing: busy('Installing'),
  starting: busy('Starting', 'info'),
  stopping: busy('Stopping', 'info'),
  restarting: busy('Restarting', 'warn'),
  restoring: busy('Restoring'),
  snapshotting: busy('Taking a snapshot'),
  migrating: busy('Moving'),
  deleting: busy('Deleting', 'err'),
}

const JOB: Readonly<Record<JobState, Look>> = {
  waiting: { tone: 'idle', word: 'Waiting', icon: Clock },
  running: busy('Running', 'info'),
  done: { tone: 'ok', word: 'Done', icon: CircleCheck },
  failed: { tone: 'err', word: 'Failed', icon: CircleAlert },
  superseded: { tone: 'idle', word: 'Superseded', icon: Ban },
  cancelled: { tone: 'idle', word: 'Cancelled', icon: Ban },
}

const NODE: Readonly<Record<NodeState, Look>> = {
  online: { tone: 'ok', word: 'Online', icon: CircleCheck },
  offline: { tone: 'err', word: 'Offline', icon: CircleAlert },
  cordoned: { tone: 'warn', word: 'Cordoned', icon: CirclePause },
  enrolling: busy('Waiting for its agent', 'info'),
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

function LookPill({ look, note }: { look: Look; note?: string | undefined }) {
  const Icon = look.icon
  return (
    <Pill tone={look.tone} icon={<Icon aria-hidden />} spins={look.spins ?? false}>
      {note === undefined ? look.word : `${look.word} ${note}`}
    </Pill>
  )
}

export const serverWord = (status: ServerStatus): string => SERVER[status].word

export const ServerPill = ({
  status,
  note,
}: {
  status: ServerStatus
  note?: string | undefined
}) => <LookPill look={SERVER[status]} note={note} />
export const JobPill = ({ state }: { state: JobState }) => <LookPill look={JOB[state]} />
export const NodePill = ({ state }: { state: NodeState }) => <LookPill look={NODE[state]} />
