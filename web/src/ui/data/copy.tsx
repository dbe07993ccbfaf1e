import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { IconButton } from '../buttons/button.tsx'
import { Hidden } from '../page/layout.tsx'
import { t } from '../page/words.ts'
import { Output } from '../panes/output.tsx'
import { copyText } from './clipboard.ts'
import styles from './copy.module.css'

const SHOWN_MS = { copied: 1_500, refused: 6_000 }

/** The result of a recent copy, and the function that copies. */
function useCopy(): [keyof typeof SHOWN_MS | undefined, (value: string) => void] {
  const [outcome, setOutcome] = useState<keyof typeof SHOWN_MS>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS[outcome])
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (value: string): Promise<void> =>
    setOutcome((await copyText(value)) ? 'copied' : 'refused')
  return [outcome, (value) => void copy(value)]
}

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [outcome, copy] = useCopy()
  return (
    <>
      <IconButton label={label} size="small" onClick={() => copy(value)}>
        {outcome === 'copied' ? <Check /> : <Copy />}
      </IconButton>
      <Hidden>
        <span role="status">{outcome === 'copied' ? t.copied : ''}</span>
      </Hidden>
      {outcome === 'refused' ? <span role="alert">{t.copyRefused}</span> : null}
    </>
  )
}

/** A value needed elsewhere (address, id), with a copy button. */
export function Copyable({ value, label }: { value: string; label: string }) {
  return (
    <span className={styles.copyable}>
      <code title={value}>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  )
}

/** A command to paste into a terminal. */
export function CommandBox({ command, label }: { command: string; label: string }) {
  const [outcome, copy] = useCopy()
  const copied = outcome === 'copied'
  return (
    <div className={styles.box}>
      <Output label={label} text={command} />
      <button type="button" onClick={() => copy(command)}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {copied ? t.copied : t.copy}
      </button>
      {outcome === 'refused' ? <p role="alert">{t.copyRefused}</p> : null}
    </div>
  )
}
