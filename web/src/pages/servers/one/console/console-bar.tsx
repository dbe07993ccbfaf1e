import type { Server } from '@lodge/shared/servers.ts'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Clock from 'lucide-react/icons/clock'
import Download from 'lucide-react/icons/download'
import Eraser from 'lucide-react/icons/eraser'
import ExternalLink from 'lucide-react/icons/external-link'
import ScrollText from 'lucide-react/icons/scroll-text'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { openWindow } from '../../../../shell/open-window.ts'
import { IconButton } from '../../../../ui/buttons/button.tsx'
import { saveText } from '../../../../ui/data/save-file.ts'
import { Pill } from '../../../../ui/data/status.tsx'
import { useNow } from '../../../../ui/data/time.tsx'
import type { Screen } from '../../../../ui/panes/terminal.ts'
import styles from './console.module.css'
import { InstallLog } from './install-log.tsx'
import type { Link } from './session.ts'

function LinkPill({ link }: { link: Link }) {
  const now = useNow(1_000)
  if (link.state === 'lost') {
    const seconds = Math.max(0, Math.ceil((link.retryAt - now) / 1_000))
    return (
      <Pill tone="warn" title={link.reason}>
        Lost, again in {seconds} s
      </Pill>
    )
  }
  if (link.state === 'open') return <Pill tone="ok">Connected</Pill>
  return link.state === 'connecting' ? (
    <Pill tone="info">Connecting</Pill>
  ) : (
    <Pill tone="idle">Not connected</Pill>
  )
}

interface ConsoleBarProps {
  server: Server
  /** The console is in its own window already. */
  alone: boolean
  times: boolean
  onTimes: (on: boolean) => void
  link: Link
  screen: RefObject<Screen | undefined>
}

/** Connection state, search, timestamps, text size, download, clear, separate window. */
export function ConsoleBar({ server, alone, times, onTimes, link, screen }: ConsoleBarProps) {
  const [text, setText] = useState('')
  const [size, setSize] = useState(13)
  const [installLog, setInstallLog] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const find = (direction: 'next' | 'previous'): void => {
    if (text !== '') screen.current?.find(text, direction)
  }
  const scale = (next: number): void => {
    setSize(next)
    screen.current?.resize(next)
  }
  const download = (): void => saveText(`${server.name}.log`, screen.current?.text() ?? '')
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <div className={styles.bar} role="toolbar" aria-label="Console">
      <span role="status">
        <LinkPill link={link} />
      </span>
      <search>
        <form
          className={styles.find}
          onSubmit={(event) => {
            event.preventDefault()
            find('previous')
          }}
        >
          <input
            ref={input}
            type="search"
            aria-label="Search in the console"
            placeholder="Search"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <IconButton label="Previous hit" size="small" type="submit">
            <ArrowUp />
          </IconButton>
          <IconButton label="Next hit" size="small" onClick={() => find('next')}>
            <ArrowDown />
          </IconButton>
        </form>
      </search>
      <span className={styles.tools}>
        <IconButton
          label="Time of each line"
          size="small"
          aria-pressed={times}
          disabledBecause={link.state === 'open' ? undefined : 'The console is not connected'}
          onClick={() => onTimes(!times)}
        >
          <Clock />
        </IconButton>
        <IconButton label="Smaller text" size="small" onClick={() => scale(Math.max(9, size - 1))}>
          <ZoomOut />
        </IconButton>
        <IconButton label="Larger text" size="small" onClick={() => scale(Math.min(22, size + 1))}>
          <ZoomIn />
        </IconButton>
        <IconButton label="Download the log" size="small" onClick={download}>
          <Download />
        </IconButton>
        {server.kind === 'container' ? (
          <IconButton label="Install log" size="small" onClick={() => setInstallLog(true)}>
            <ScrollText />
          </IconButton>
        ) : null}
        <IconButton label="Clear the screen" size="small" onClick={() => screen.current?.clear()}>
          <Eraser />
        </IconButton>
        {alone ? null : (
          <IconButton
            label="Open in a window of its own"
            size="small"
            onClick={() => openWindow(`/windows/console/${server.id}`, server.id)}
          >
            <ExternalLink />
          </IconButton>
        )}
      </span>
      <InstallLog server={server} opened={installLog} onClose={() => setInstallLog(false)} />
    </div>
  )
}
