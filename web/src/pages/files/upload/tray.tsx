import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useRefresh } from '../../../query.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { Progress } from '../../../ui/data/meter.tsx'
import { formatBytes } from '../../../ui/data/numbers.ts'
import { useNow } from '../../../ui/data/time.tsx'
import { duration } from '../../../ui/data/time-words.ts'
import { nameOf } from '../file-names.ts'
import { CHANGES } from '../use-listing.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { Speed } from './speed.ts'
import { inOrder, type Totals, type Transfer, totalsOf } from './transfer.ts'
import styles from './tray.module.css'
import { clearEnded, giveUp, pauseAll, resume, resumeAll, useTransfers } from './uploads.ts'
import { t } from './words.ts'

/** Nobody scrolls through more. */
const MOST_SHOWN = 60
const REFRESH_MS = 1_000

/** The uploads of this tab, in the corner of every page. */
export default function Tray() {
  const transfers = useTransfers()
  const [folded, setFolded] = useState(false)
  const totals = totalsOf(transfers)
  useRefreshed(totals.done)
  if (transfers.length === 0) return null
  const listed = inOrder(transfers)
  return (
    <>
      <section className={styles.tray} aria-label={t.uploads}>
        <Head totals={totals} folded={folded} onFold={() => setFolded(!folded)} />
        {folded ? null : (
          <ul className={styles.list}>
            {listed.slice(0, MOST_SHOWN).map((one) => (
              <Line key={one.id} transfer={one} />
            ))}
            {listed.length > MOST_SHOWN ? (
              <li className={styles.more}>{t.more({ count: listed.length - MOST_SHOWN })}</li>
            ) : null}
          </ul>
        )}
      </section>
      <ConflictDialog transfer={transfers.find(({ state }) => state === 'conflict')} />
    </>
  )
}

/** Refreshes lists with what has arrived, but not for each of hundreds of files. */
function useRefreshed(done: number): void {
  const refresh = useRefresh()
  const latest = useRef(refresh)
  latest.current = refresh
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    if (done === 0) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void latest.current(CHANGES)
    }, REFRESH_MS)
  }, [done])
}

function titleOf({ open, conflicts, paused, failed, done, count }: Totals): string {
  if (open + conflicts > 0) return t.uploading({ done, count })
  if (paused > 0) return t.uploadsPaused({ done, count })
  return failed > 0 ? t.notUploaded({ count: failed }) : t.uploaded({ count: done })
}

interface HeadProps {
  totals: Totals
  folded: boolean
  onFold: () => void
}

function Head({ totals, folded, onFold }: HeadProps) {
  const { open, paused, failed, sentBytes, totalBytes } = totals
  const speed = useSpeed(sentBytes)
  const left = totalBytes - sentBytes
  const isOnline = useOnline()
  const sent = t.sentOf({ sent: formatBytes(sentBytes), total: formatBytes(totalBytes) })
  const pace =
    open > 0 && speed && isOnline
      ? [
          t.speed({ speed: formatBytes(Math.round(speed)) }),
          t.leftover({ duration: duration((left / speed) * 1_000) }),
        ]
      : []
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <b role="status">{titleOf(totals)}</b>
        {open > 0 ? (
          <IconButton size="small" label={t.pauseAll} onClick={pauseAll}>
            <Pause />
          </IconButton>
        ) : paused + failed > 0 ? (
          <IconButton
            size="small"
            label={paused > 0 ? t.resumeAll : t.retryAll}
            onClick={resumeAll}
          >
            {paused > 0 ? <Play /> : <RotateCcw />}
          </IconButton>
        ) : null}
        <IconButton
          size="small"
          label={folded ? t.unfold : t.fold}
          aria-expanded={!folded}
          onClick={onFold}
        >
          {folded ? <ChevronUp /> : <ChevronDown />}
        </IconButton>
        {open + paused + totals.conflicts === 0 ? (
          <Button size="small" kind="quiet" onClick={clearEnded}>
            {t.clear}
          </Button>
        ) : null}
      </div>
      <Progress
        label={t.totalProgress}
        percent={totalBytes === 0 ? 100 : (sentBytes / totalBytes) * 100}
      />
      <div className={styles.facts}>{[sent, ...pace].join(' · ')}</div>
      {open > 0 && !isOnline ? <div className={styles.facts}>{t.unreachable}</div> : null}
    </header>
  )
}

function listenToLine(listener: () => void): () => void {
  for (const event of ['online', 'offline']) addEventListener(event, listener)
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, listener)
  }
}

/** Whether this computer has a network connection. */
const useOnline = (): boolean => useSyncExternalStore(listenToLine, () => navigator.onLine)

function useSpeed(sentBytes: number): number | undefined {
  const speed = useRef(new Speed())
  const now = useNow(1_000)
  useEffect(() => speed.current.add(sentBytes, Date.now()), [sentBytes, now])
  return speed.current.bytesPerSecond
}

function Line({ transfer }: { transfer: Transfer }) {
  const { id, path, file, sentBytes, state, fault } = transfer
  const name = nameOf(path)
  const words = {
    waiting: t.waiting,
    sending: t.sentOf({ sent: formatBytes(sentBytes), total: formatBytes(file.size) }),
    paused: t.paused,
    conflict: t.exists,
    failed: fault ?? '',
    done: formatBytes(file.size),
  }[state]
  return (
    <li className={styles.line} data-state={state}>
      <span className={styles.name} title={path}>
        {name}
      </span>
      <span className={styles.acts}>
        {state === 'done' ? <CircleCheck aria-label={t.done} className={styles.ok} /> : null}
        {state === 'failed' ? <CircleAlert aria-hidden className={styles.err} /> : null}
        {state === 'failed' || state === 'paused' ? (
          <IconButton size="small" label={t.retryOne({ file: name })} onClick={() => resume([id])}>
            <RotateCcw />
          </IconButton>
        ) : null}
        {state === 'done' ? null : (
          <IconButton size="small" label={t.giveUpOne({ file: name })} onClick={() => giveUp([id])}>
            <X />
          </IconButton>
        )}
      </span>
      <span className={styles.words}>{words}</span>
      {state === 'sending' ? (
        <Progress
          label={t.progressOf({ file: name })}
          percent={file.size === 0 ? null : (sentBytes / file.size) * 100}
        />
      ) : null}
    </li>
  )
}
