import type { Node, PreflightCheck } from '@lodge/shared/nodes.ts'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Hidden } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import styles from './nodes.module.css'

type Shown = PreflightCheck['state'] | 'waiting'

const LOOKS = {
  ok: { icon: CircleCheck, tone: tones.ok, word: 'In order' },
  warning: { icon: TriangleAlert, tone: tones.warn, word: 'Warning' },
  failed: { icon: CircleAlert, tone: tones.err, word: 'Failed' },
  waiting: { icon: LoaderCircle, tone: tones.idle, word: 'Waiting' },
}

/** One check of a node with its remedy. */
export function CheckLine({
  state,
  summary,
  remedy,
}: {
  state: Shown
  summary: string
  remedy: string | null
}) {
  const { icon: Icon, tone, word } = LOOKS[state]
  return (
    <li className={`${styles.check} ${tone} ${state === 'waiting' ? styles.spin : ''}`}>
      <Icon aria-hidden />
      <div>
        <Hidden>{word}: </Hidden>
        {summary}
        {remedy === null ? null : <small>{remedy}</small>}
      </div>
    </li>
  )
}

/** What the agent of a node reports about its machine. */
export function Checks({ node }: { node: Node }) {
  return (
    <ul className={styles.checks} aria-live="polite">
      {node.preflight.map((check) => (
        <CheckLine key={check.id} {...check} />
      ))}
      {node.preflight.length === 0 ? (
        <CheckLine
          state="waiting"
          summary="The agent has not reported its checks yet"
          remedy={null}
        />
      ) : null}
    </ul>
  )
}

/** The way of a new machine from the pasted line to a node that takes servers. */
export function JoinChecks({ node }: { node: Node }) {
  const joined = node.state !== 'enrolling'
  return (
    <ul className={styles.checks} aria-live="polite">
      <CheckLine
        state={joined ? 'ok' : 'waiting'}
        summary={joined ? 'The token was used' : 'Waiting for the line to be pasted'}
        remedy={null}
      />
      <CheckLine
        state={node.connectedSince ? 'ok' : 'waiting'}
        summary={
          node.connectedSince
            ? `The agent ${node.agentVersion ?? ''} is connected`
            : 'Waiting for the agent to connect'
        }
        remedy={null}
      />
      {node.preflight.map((check) => (
        <CheckLine key={check.id} {...check} />
      ))}
      {node.preflight.length === 0 ? (
        <CheckLine
          state="waiting"
          summary="Docker, control groups, ports, clock, disk"
          remedy={null}
        />
      ) : null}
    </ul>
  )
}

/** Whether a node can take its first server. */
export const isReady = (node: Node): boolean =>
  node.state === 'online' &&
  node.preflight.length > 0 &&
  node.preflight.every(
    (check) => check.state !== 'failed' || check.id === 'kvm' || check.id === 'libvirt',
  )
