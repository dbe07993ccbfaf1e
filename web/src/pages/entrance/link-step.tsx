import type { ReactNode } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { isOver, LinkRefusal } from './link-refusal.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

interface LinkStepProps {
  title: string
  lead: string
  /** From the link; empty if the page was opened without one. */
  token: string
  /** What to do without a link. */
  withoutLink: string
  verb: string
  busy: boolean
  onConfirm: () => void
  /** Why it was refused, if it was. */
  error?: unknown
  /** Content below. */
  children?: ReactNode
}

/** The page of a link in a mail that does one thing, after its reader confirms it. */
export function LinkStep(props: LinkStepProps) {
  const { title, lead, token, withoutLink, verb, busy, onConfirm, error, children } = props
  const isUseless = token === '' || isOver(error)
  return (
    <Entrance title={title} {...(isUseless ? {} : { lead })}>
      {token === '' ? (
        <Note tone="warn" title={t.noLink}>
          {withoutLink}
        </Note>
      ) : isUseless ? null : (
        <Button kind="primary" size="large" full autoFocus busy={busy} onClick={onConfirm}>
          {verb}
        </Button>
      )}
      {error ? <LinkRefusal error={error} /> : null}
      {children}
    </Entrance>
  )
}
