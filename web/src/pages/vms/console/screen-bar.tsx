import type { Server } from '@lodge/shared/servers.ts'
import Camera from 'lucide-react/icons/camera'
import Command from 'lucide-react/icons/command'
import ExternalLink from 'lucide-react/icons/external-link'
import Eye from 'lucide-react/icons/eye'
import Maximize from 'lucide-react/icons/maximize'
import Scaling from 'lucide-react/icons/scaling'
import TextCursorInput from 'lucide-react/icons/text-cursor-input'
import { type RefObject, useEffect, useState } from 'react'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { ActionMenu } from '../../../ui/buttons/menu.tsx'
import { openWindow } from '../../../ui/buttons/open-window.ts'
import { saveFile } from '../../../ui/data/save-file.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import styles from '../../servers/one/console/console.module.css'
import { t } from '../words.ts'
import { CHORDS } from './chords.ts'
import type { Link } from './relay-socket.ts'
import type { MachineScreen } from './screen.ts'
import { TouchKeyboard } from './touch-keyboard.tsx'
import { TypeText } from './type-text.tsx'

export function LinkPill({ link }: { link: Link }) {
  switch (link.state) {
    case 'open':
      return <Pill tone="ok">{t.connected}</Pill>
    case 'lost':
      return (
        <Pill tone="warn" title={link.reason}>
          {t.reconnectingPill({ attempt: link.attempt })}
        </Pill>
      )
    case 'connecting':
      return <Pill tone="info">{t.connecting}</Pill>
    case 'closed':
      return <Pill tone="idle">{t.off}</Pill>
  }
}

interface ScreenBarProps {
  server: Server
  alone: boolean
  link: Link
  screen: RefObject<MachineScreen | undefined>
  stage: RefObject<HTMLDivElement | null>
  /** Scales the screen to fit the window. */
  fitted: boolean
  onFit: (fitted: boolean) => void
}

/** Connection state, keys, typing, view only, size, screenshot, monitor, separate window. */
export function ScreenBar(props: ScreenBarProps) {
  const { server, alone, link, screen, stage, fitted, onFit } = props
  const [typing, setTyping] = useState(false)
  const [watching, setWatching] = useState(false)
  const off = link.state === 'open' ? undefined : t.screenOff
  const noKeys = off ?? (watching ? t.viewOnlyOn : undefined)
  // Also after the screen was reopened because the machine was off in between.
  useEffect(() => {
    screen.current?.fit(fitted)
    screen.current?.viewOnly(watching)
  }, [screen, fitted, watching, link.state])
  const save = async (): Promise<void> => {
    const blob = await screen.current?.picture()
    if (blob) saveFile(`${server.name}.png`, blob)
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label={t.screen}>
      <span role="status">
        <LinkPill link={link} />
      </span>
      <Button
        size="small"
        disabledBecause={noKeys}
        onClick={() => {
          screen.current?.ctrlAltDel()
          screen.current?.focus()
        }}
      >
        {t.ctrlAltDel}
      </Button>
      <span className={styles.tools}>
        <ActionMenu
          label={t.pressKeys}
          entries={CHORDS.flatMap((group) =>
            group.map(([label, keys], index) => ({
              label,
              separated: index === 0 && group !== CHORDS[0],
              disabledBecause: noKeys,
              onSelect: () => {
                screen.current?.chord(keys)
                screen.current?.focus()
              },
            })),
          )}
        >
          <IconButton label={t.pressKeys} size="small">
            <Command />
          </IconButton>
        </ActionMenu>
        {navigator.maxTouchPoints > 0 ? (
          <TouchKeyboard screen={screen} disabledBecause={noKeys} />
        ) : null}
        <IconButton
          label={t.typeText}
          size="small"
          disabledBecause={noKeys}
          onClick={() => setTyping(true)}
        >
          <TextCursorInput />
        </IconButton>
        <IconButton
          label={watching ? t.letThrough : t.viewOnly}
          size="small"
          aria-pressed={watching}
          disabledBecause={off}
          onClick={() => setWatching(!watching)}
        >
          <Eye />
        </IconButton>
        <IconButton
          label={fitted ? t.ownSize : t.fit}
          size="small"
          aria-pressed={!fitted}
          disabledBecause={off}
          onClick={() => onFit(!fitted)}
        >
          <Scaling />
        </IconButton>
        <IconButton
          label={t.screenshot}
          size="small"
          disabledBecause={off}
          onClick={() => void save()}
        >
          <Camera />
        </IconButton>
        <IconButton
          label={t.fullScreen}
          size="small"
          disabledBecause={off}
          onClick={() => void stage.current?.requestFullscreen()}
        >
          <Maximize />
        </IconButton>
        {alone ? null : (
          <IconButton
            label={t.ownWindow}
            size="small"
            onClick={() => openWindow(`/windows/screen/${server.id}`, server.id)}
          >
            <ExternalLink />
          </IconButton>
        )}
      </span>
      <Dialog title={t.typeText} opened={typing} onClose={() => setTyping(false)}>
        <TypeText screen={screen} onDone={() => setTyping(false)} />
      </Dialog>
    </div>
  )
}
