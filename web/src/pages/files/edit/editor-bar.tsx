import Download from 'lucide-react/icons/download'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Save from 'lucide-react/icons/save'
import type { RefObject } from 'react'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { saveFrom } from '../../../ui/data/save-file.ts'
import { Pill } from '../../../ui/data/status.tsx'
import { languageOf } from '../../../ui/panes/languages.ts'
import { saveAddress } from '../content.ts'
import { Crumbs } from '../crumbs.tsx'
import styles from './edit.module.css'
import { encodingWord, lineEndWord } from './format-words.ts'
import type { TextFormat } from './text-file.ts'
import { t } from './words.ts'

interface EditorBarProps {
  form: RefObject<HTMLFormElement | null>
  serverId: string
  path: string
  format: TextFormat
  changed: boolean
  busy: boolean
  readOnly: string | undefined
  onSave: () => void
  onRevert: () => void
}

/** The bar above the text: path, encoding and line ends, whether it is saved, and the actions. */
export function EditorBar(props: EditorBarProps) {
  const { form, serverId, path, format, changed, busy, readOnly, onSave, onRevert } = props
  const nothing = changed ? undefined : t.nothingChanged
  return (
    <form
      ref={form}
      className={styles.bar}
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <Crumbs serverId={serverId} path={path} />
      <div className={styles.facts}>
        {readOnly !== undefined ? (
          <span title={readOnly}>
            <Pill tone="idle">{t.readOnly}</Pill>
          </span>
        ) : changed ? (
          <Pill tone="warn">{t.unsaved}</Pill>
        ) : null}
        <span>{languageOf(path) ?? t.plainText}</span>
        <span title={t.encodingTitle}>{encodingWord(format.encoding)}</span>
        <span title={t.endsTitle}>{lineEndWord(format.lineEnd)}</span>
      </div>
      <div className={styles.tools}>
        <IconButton label={t.download} onClick={() => saveFrom(saveAddress(serverId, path))}>
          <Download />
        </IconButton>
        <Button icon={<RotateCcw />} disabledBecause={nothing} onClick={onRevert}>
          {t.revert}
        </Button>
        <Button
          type="submit"
          kind="primary"
          icon={<Save />}
          busy={busy}
          aria-keyshortcuts="Control+S"
          disabledBecause={readOnly ?? nothing}
        >
          {t.save}
        </Button>
      </div>
    </form>
  )
}
