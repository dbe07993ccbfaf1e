import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { IconButton } from '../buttons/button.tsx'
import { Hidden } from '../page/layout.tsx'
import { Output } from '../panes/output.tsx'
import styles from './copy.module.css'

/** Whether something was copied a moment ago, and the act of copying it. */
export function useCopy(): [boolean, (value: string) => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, (value) => void navigator.clipboard.writeText(value).then(() => setCopied(true))]
}

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [copied, copy] = useCopy()
  return (
    <>
      <IconButton label={label} size="small" onClick={() => copy(value)}>
        {copied ? <Check /> : <Copy />}
      </IconButton>
      <Hidden>
        <span role="status">{copied ? 'Copied' : ''}</span>
      </Hidden>
    </>
  )
}

/** A value people need elsewhere (address, id), with its copy button. */
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
  const [copied, copy] = useCopy()
  return (
    <div className={styles.box}>
      <Output label={label} text={command} />
      <button type="button" onClick={() => copy(command)}>
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
