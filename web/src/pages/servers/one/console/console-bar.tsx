import type { Server } from '@lodge/shared/servers.ts'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { openWindow } from '../../../../ui/buttons/open-window.ts'
import { Segments } from '../../../../ui/choices/segments.tsx'
import { saveText } from '../../../../ui/data/save-file.ts'
import { Pill } from '../../../../ui/data/status.tsx'
import { useNow } from '../../../../ui/data/time.tsx'
import type { Screen } from '../../../../ui/panes/terminal.ts'
import styles from './console.module.css'
import type { Link } from './session.ts'
import { ViewMenu } from './view-menu.tsx'
import type { ViewSettings } from './view-settings.ts'
import { t } from './words.ts'

/** The source of the output: the program itself, or its last installation. */
export type Source = 'run' | 'install'
const sources = () => [
  { value: 'run' as const, label: t.console },
  { value: 'install' as const, label: t.installLog },
]

function LinkPill({ link }: { link: Link }) {
  const now = useNow(1_000)
  if (link.state === 'lost') {
    const seconds = Math.max(0, Math.ceil((link.retryAt - now) / 1_000))
    return (
      <Pill tone="warn" title={link.reason}>
        {t.lost({ seconds })}
      </Pill>
    )
  }
  if (link.state === 'open') return <Pill tone="ok">{t.connected}</Pill>
  return link.state === 'connecting' ? (
    <Pill tone="info">{t.connecting}</Pill>
  ) : (
    <Pill tone="idle">{t.notConnected}</Pill>
  )
}

interface ConsoleBarProps {
  server: Server
  /** The console is in its own window already. */
  alone: boolean
  source: Source
  onSource: (source: Source) => void
  settings: ViewSettings
  onSettings: (change: Partial<ViewSettings>) => void
  link: Link
  screen: RefObject<Screen | undefined>
}

/** Connection, source, search, view, download and separate window. */
export function ConsoleBar(props: ConsoleBarProps) {
  const { server, alone, source, onSource, settings, onSettings, link, screen } = props
  const download = (): void => {
    const file = source === 'install' ? t.installFile : t.consoleFile
    saveText(file({ server: server.name }), textOf(screen.current))
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label={t.console}>
      {server.kind === 'container' ? (
        <Segments label={t.output} value={source} choices={sources()} onChange={onSource} />
      ) : null}
      <span role="status" className={styles.link}>
        {source === 'run' || link.state === 'open' ? <LinkPill link={link} /> : null}
      </span>
      <Find screen={screen} />
      <span className={styles.tools}>
        <ViewMenu
          settings={settings}
          onChange={onSettings}
          onClear={() => screen.current?.clear()}
        />
        <Button kind="quiet" size="small" icon={<Download />} onClick={download}>
          {t.download}
        </Button>
        {alone ? null : (
          <Button
            kind="quiet"
            size="small"
            icon={<ExternalLink />}
            onClick={() => openWindow(`/windows/console/${server.id}`, server.id)}
          >
            {t.ownWindow}
          </Button>
        )}
      </span>
    </div>
  )
}

/** The text on the screen; without a terminal, that of the pane that replaces it. */
const textOf = (screen: Screen | undefined): string =>
  screen?.text() ?? document.querySelector('[data-console-text]')?.textContent ?? ''

/** Search, in a terminal only. */
function Find({ screen }: { screen: RefObject<Screen | undefined> }) {
  const [text, setText] = useState('')
  const [missed, setMissed] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const find = (direction: 'next' | 'previous'): void => {
    if (text !== '') setMissed(screen.current?.find(text, direction) === false)
  }
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
          aria-label={t.searchConsole}
          placeholder={t.search}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setMissed(false)
          }}
        />
        <span role="status">{missed ? t.notFound : ''}</span>
        <IconButton label={t.previousMatch} size="small" type="submit">
          <ArrowUp />
        </IconButton>
        <IconButton label={t.nextMatch} size="small" onClick={() => find('next')}>
          <ArrowDown />
        </IconButton>
      </form>
    </search>
  )
}
