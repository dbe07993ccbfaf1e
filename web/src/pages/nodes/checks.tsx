import type { Node, PreflightCheck } from '@lodge/shared/nodes.ts'
import type { VirtualizationCheck } from '@lodge/shared/virtualization.ts'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Hidden } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import styles from './nodes.module.css'

type Shown = PreflightCheck['state'] | 'waiting'

const LOOKS = {
  ok: { icon: CircleCheck, tone: tones.ok, word: 'works' },
  warning: { icon: TriangleAlert, tone: tones.warn, word: 'needs a look' },
  failed: { icon: CircleAlert, tone: tones.err, word: 'does not work' },
  waiting: { icon: LoaderCircle, tone: tones.idle, word: 'waiting' },
}

type CheckId = PreflightCheck['id'] | VirtualizationCheck['id']
type RegistryCheckId = Extract<CheckId, `registry:${string}`>
const isOfRegistry = (id: CheckId): id is RegistryCheckId => id.startsWith('registry:')

/** The displayed name of each check. */
const nameOf = (id: CheckId): string =>
  isOfRegistry(id) ? `Registry ${id.slice('registry:'.length)}` : CHECK_NAMES[id]
const CHECK_NAMES: Readonly<Record<Exclude<CheckId, RegistryCheckId>, string>> = {
  docker: 'Docker',
  libvirt: 'libvirt',
  cgroups: 'Limits of memory and CPU',
  ports: 'Ports',
  clock: 'Clock',
  disk: 'Disk',
  kvm: 'KVM',
  images: 'Images',
  qemu: 'QEMU',
  firmware: 'Firmware',
  tpm: 'TPM',
  network: 'Network',
  forwarding: 'Forwarding',
  storage: 'Storage',
  'boot-guard': 'Boot permits',
}

/** One check of a node: its name, its result, and what to do when it fails. */
export function CheckLine({
  id,
  state,
  summary,
  remedy,
}: {
  /** The check; a line without one is a step of joining. */
  id?: CheckId
  state: Shown
  summary: string
  remedy: string | null
}) {
  const { icon: Icon, tone, word } = LOOKS[state]
  return (
    <li className={`${styles.check} ${tone} ${state === 'waiting' ? styles.spin : ''}`}>
      <Icon aria-hidden />
      <div>
        {id === undefined ? (
          <>
            <Hidden>{word}: </Hidden>
            {summary}
          </>
        ) : (
          <>
            <b>
              {nameOf(id)}: {word}
            </b>
            <small>{summary}</small>
          </>
        )}
        {remedy === null ? null : <small>{remedy}</small>}
      </div>
    </li>
  )
}

/** The checks that a node's agent reports about its machine. */
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

/** The progress of a new machine from the pasted command to a node that accepts servers. */
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

/** Whether a node can run its first server. */
export const isReady = (node: Node): boolean =>
  node.state === 'online' &&
  node.preflight.length > 0 &&
  node.preflight.every(
    (check) => check.state !== 'failed' || check.id === 'kvm' || check.id === 'libvirt',
  )
