import type { Node } from '@lodge/shared/nodes.ts'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { saidReason, why } from '../../panel/said.ts'
import { entryOf } from '../../ui/data/known.ts'
import { Hidden } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import { type Check, checkDocument, checkName, groupsOf } from './check-groups.ts'
import styles from './nodes.module.css'
import { t } from './words.ts'

type Shown = Check['state'] | 'waiting'

const LOOKS = {
  ok: { icon: CircleCheck, tone: tones.ok, word: () => t.checkOk },
  warning: { icon: TriangleAlert, tone: tones.warn, word: () => t.checkWarning },
  failed: { icon: CircleAlert, tone: tones.err, word: () => t.checkFailed },
  waiting: { icon: LoaderCircle, tone: tones.idle, word: () => t.checkWaiting },
}

/** One step of joining, or one check with its result and what to do when it fails. */
export function CheckLine({
  name,
  state,
  summary,
  remedy,
  document,
}: {
  name?: string
  state: Shown
  summary: string
  remedy: string | null
  /** URL of its documentation. */
  document?: string | undefined
}) {
  const { icon: Icon, tone, word } = entryOf(LOOKS, state, () => LOOKS.waiting)
  return (
    <li className={`${styles.check} ${tone} ${state === 'waiting' ? styles.spin : ''}`}>
      <Icon aria-hidden />
      <div>
        <Hidden>{word()} </Hidden>
        {name === undefined ? null : <b>{name}</b>}
        <span>{summary}</span>
        {remedy === null ? null : <p>{remedy}</p>}
        {document === undefined || name === undefined ? null : (
          <a href={document} target="_blank" rel="noreferrer">
            {t.readAbout({ subject: name })}
          </a>
        )}
      </div>
    </li>
  )
}

const line = (check: Check, explained: boolean) => (
  <CheckLine
    key={check.id}
    name={checkName(check.id)}
    state={check.state}
    summary={saidReason(check.summary)}
    remedy={why(check.remedy) ?? null}
    document={explained ? checkDocument(check.id) : undefined}
  />
)

/** A list of checks. Passed ones need no explanation. */
export const CheckList = ({ checks, label }: { checks: readonly Check[]; label: string }) => (
  <ul className={styles.checks} aria-label={label}>
    {checks.map((check) => line(check, check.state !== 'ok'))}
  </ul>
)

/** All checks of a node, the broken ones first. */
export function Checks({ node }: { node: Node }) {
  const { broken, advice, fine } = groupsOf(node)
  return (
    <ul className={styles.checks} aria-live="polite">
      {[...broken, ...advice, ...fine].map((check) => line(check, check.state === 'failed'))}
      {node.preflight.length === 0 ? <AwaitingChecks /> : null}
    </ul>
  )
}

const AwaitingChecks = () => <CheckLine state="waiting" summary={t.checking} remedy={null} />

/** The progress of a new machine from the pasted command to a node that accepts servers. */
export function JoinChecks({ node }: { node: Node }) {
  const joined = node.state !== 'enrolling'
  const { broken, advice, fine } = groupsOf(node)
  return (
    <ul className={styles.checks} aria-live="polite" aria-label={t.progress}>
      <CheckLine
        state={joined ? 'ok' : 'waiting'}
        summary={joined ? t.commandRan : t.commandAwaited}
        remedy={null}
      />
      <CheckLine
        state={node.connectedSince ? 'ok' : 'waiting'}
        summary={
          node.connectedSince
            ? t.agentConnected({ version: node.agentVersion ?? '' })
            : t.agentAwaited
        }
        remedy={null}
      />
      <CheckLine
        state={node.detected ? 'ok' : 'waiting'}
        summary={node.detected ? t.detected : t.detecting}
        remedy={null}
      />
      {[...broken, ...advice, ...fine].map((check) => line(check, check.state === 'failed'))}
      {joined && node.preflight.length === 0 ? <AwaitingChecks /> : null}
    </ul>
  )
}

/** Whether a node can run its first server. */
export const isReady = (node: Node): boolean =>
  node.state === 'online' && node.preflight.length > 0 && groupsOf(node).broken.length === 0
